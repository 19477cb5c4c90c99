import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { useCommonWords } from "@/texts/common";
import { screeningsQuery } from "./queries";
import { useScreeningWords } from "./texts";

/** The records of screenings. The list names no person. */
export function Screenings() {
  const words = useScreeningWords();
  const common = useCommonWords();
  const found = useInfiniteQuery(screeningsQuery);
  const rows = found.data?.pages.flatMap((page) => page.screenings) ?? [];
  return (
    <Stack>
      <Text>{words("screeningsLead")}</Text>
      {found.isPending && <Skeleton h={240} />}
      {found.isError && <Failure fault={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && rows.length === 0 && <Text>{words("noScreening")}</Text>}
      {rows.length > 0 && (
        <PlainTable
          label={words("screenings")}
          head={[words("when"), words("matches"), words("lists"), words("complete"), words("record")]}
          rows={rows.map((row) => ({
            id: row.id,
            cells: [
              <Moment key="at" at={row.screenedAt} />,
              row.totalMatches,
              row.lists.length,
              words(row.complete ? "yes" : "no"),
              <RoomLink
                key="record"
                to="/screening/record/$id"
                params={{ id: row.id }}
              >
                {words("open")}
              </RoomLink>,
            ],
          }))}
        />
      )}
      {found.hasNextPage && (
        <Button variant="default" onClick={() => void found.fetchNextPage()}>
          {common("more")}
        </Button>
      )}
    </Stack>
  );
}
