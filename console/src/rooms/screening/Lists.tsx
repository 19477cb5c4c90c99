import { Badge, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/parts/failures";
import { PlainTable } from "@/parts/PlainTable";
import { Age } from "@/parts/time";
import { listsQuery } from "./queries";
import { useScreeningWords } from "./texts";

/** The watchlists, stale ones first. */
export function Lists() {
  const words = useScreeningWords();
  const found = useQuery(listsQuery);
  if (found.isPending) return <Skeleton h={240} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const lists = found.data.lists.toSorted(
    (one, other) => Number(other.status === "stale") - Number(one.status === "stale"),
  );
  return (
    <Stack>
      <Text>{words("listsLead")}</Text>
      <PlainTable
        label={words("lists")}
        head={[
          words("list"),
          words("publisher"),
          words("state"),
          words("entries"),
          words("asOf"),
          words("loaded"),
        ]}
        rows={lists.map((list) => ({
          id: list.id,
          cells: [
            <Stack key="name" gap={2}>
              <Text size="sm" fw={600}>
                {list.name}
              </Text>
              {list.sandbox && <Text size="sm">{words("sandbox")}</Text>}
            </Stack>,
            list.publisher,
            <Stack key="status" gap={2} align="flex-start">
              <Badge
                color={list.status === "stale" ? "red.9" : "teal.9"}
                tt="none"
               
              >
                {words(list.status)}
              </Badge>
              {list.problem && <Text size="sm">{list.problem}</Text>}
            </Stack>,
            list.entries,
            list.asOf ?? "—",
            list.loadedAt === null ? "—" : <Age since={list.loadedAt} />,
          ],
        }))}
      />
    </Stack>
  );
}
