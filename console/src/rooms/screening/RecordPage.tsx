import { Button, Code, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { api, ask } from "@/api/client";
import { Failure } from "@/parts/failures";
import { saveFile } from "@/parts/files";
import { usePercent } from "@/parts/numbers";
import { PlainTable } from "@/parts/PlainTable";
import { RoomLink } from "@/parts/RoomLink";
import { Moment } from "@/parts/time";
import { recordQuery } from "./queries";
import { useScreeningWords } from "./texts";

const route = getRouteApi("/shell/screening/record/$id");

/** Who was screened, against what, with what result. The audit log records who looks. */
export function RecordPage() {
  const words = useScreeningWords();
  const percent = usePercent();
  const { id } = route.useParams();
  const found = useQuery(recordQuery(id));
  const certificate = useMutation({
    mutationFn: () =>
      ask(
        api.GET("/v1/aml/screenings/{id}/certificate", {
          params: { path: { id } },
          parseAs: "blob",
        }),
      ),
    onSuccess: (content) => saveFile(content as unknown as Blob, `${id}.pdf`),
  });
  if (found.isPending) return <Skeleton h={320} />;
  if (found.isError) return <Failure fault={found.error} onRetry={() => void found.refetch()} />;
  const record = found.data;
  return (
    <Stack align="stretch">
      <RoomLink to="/screening" search={{ tab: "screenings" }} w="fit-content">
        {words("back")}
      </RoomLink>
      <Title order={1} size="h2">
        {record.question.fullName}
      </Title>
      <Text>
        <Moment at={record.screenedAt} /> · {words("found", { count: record.totalMatches })} ·{" "}
        {words("threshold")} {percent(record.threshold)}
      </Text>
      <Button
        w="fit-content"
        loading={certificate.isPending}
        onClick={() => certificate.mutate()}
      >
        {words("certificate")}
      </Button>
      {record.answer.matches.length > 0 && (
        <PlainTable
          label={words("matches")}
          head={[words("entry"), words("matchedName"), words("list"), words("score"), words("state")]}
          rows={record.answer.matches.map((match) => ({
            id: match.matchId,
            cells: [
              match.name,
              match.matchedName,
              match.list,
              percent(match.score),
              words(match.review.state),
            ],
          }))}
        />
      )}
      <PlainTable
        label={words("lists")}
        head={[words("list"), words("version"), words("asOf")]}
        rows={record.lists.map((list) => ({
          id: list.id,
          cells: [list.id, list.version, list.asOf ?? "—"],
        }))}
      />
      <Text size="sm">
        {words("digest")} <Code className="breaks">{record.digest}</Code>
      </Text>
      {!record.intact && (
        <Text c="red.9" role="alert">
          {words("altered")}
        </Text>
      )}
    </Stack>
  );
}
