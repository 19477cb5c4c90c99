import { Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Failure } from "@/parts/failures";
import { usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { useLastSearch } from "@/parts/typed";
import { joined } from "./entryFields";
import { entriesQuery } from "./queries";
import { useScreeningWords } from "./texts";

/** Looks a name up in the lists. It screens nobody. */
export function Entries() {
  const words = useScreeningWords();
  const percent = usePercent();
  const [lastName, keepName] = useLastSearch("entries");
  const [typed, setTyped] = useState(lastName);
  const [name, setName] = useState(lastName);
  const found = useQuery({ ...entriesQuery(name), enabled: name.length > 1 });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keepName(typed.trim());
    setName(typed.trim());
  };
  return (
    <Stack>
      <Text>{words("entriesLead")}</Text>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <TextInput
            flex={1}
            miw={220}
            type="search"
            label={words("entryName")}
            required
            withAsterisk={false}
            minLength={2}
            maxLength={500}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" loading={found.isFetching}>
            {words("find")}
          </Button>
        </Group>
      </form>
      {found.isLoading && <Skeleton h={200} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Text c="dimmed" role="status">
          {words("entriesFound", { count: found.data.total })}
        </Text>
      )}
      {found.isSuccess && found.data.entries.length > 0 && (
        <PlainTable
          label={words("entries")}
          head={[words("entry"), words("matchedName"), words("list"), words("birth"), words("score")]}
          rows={found.data.entries.map((entry) => ({
            id: entry.id,
            cells: [
              <RoomLink key="entry" to="/screening/entry/$id" params={{ id: entry.id }}>
                {entry.names[0]?.text ?? entry.entryId}
              </RoomLink>,
              entry.matchedName,
              entry.list,
              joined(entry.datesOfBirth),
              percent(entry.score),
            ],
          }))}
        />
      )}
    </Stack>
  );
}
