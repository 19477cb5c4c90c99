import { Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { usePercent } from "@/parts/numbers";
import classes from "./case.module.css";
import { Section } from "./Findings";
import type { FaceComparison } from "./findings";
import type { Picture } from "./pictures";
import { useCaseWords } from "./texts";

const width = (share: number) => `${share * 100}%`;

interface Props {
  portrait: Picture | undefined;
  selfie: Picture | undefined;
  comparison: FaceComparison | null;
}

/** The document's portrait beside the selfie, with their similarity on its scale. */
export function Faces({ portrait, selfie, comparison }: Props) {
  const words = useCaseWords();
  if (!portrait && !selfie) return null;
  return (
    <Section title={words("faces")}>
      <SimpleGrid cols={2} maw={420}>
        {[portrait, selfie].map(
          (picture) =>
            picture && (
              <Stack key={picture.id} gap={2}>
                <img className={classes.face} src={picture.url} alt={picture.label} />
                <Text size="xs">{picture.label}</Text>
              </Stack>
            ),
        )}
      </SimpleGrid>
      {comparison && <Scale {...comparison} />}
    </Section>
  );
}

function Scale({ similarity, accept, reject }: FaceComparison) {
  const words = useCaseWords();
  const percent = usePercent();
  const text = words("similarity", { value: percent(similarity) });
  return (
    <Stack gap={4} maw={420}>
      <Text fw={600} size="sm">
        {text}
      </Text>
      <div className={classes.needleRoom} role="img" aria-label={text}>
        <div className={classes.scale}>
          <div className={classes.rejected} style={{ width: width(reject) }} />
          <div className={classes.uncertain} style={{ width: width(accept - reject) }} />
          <div className={classes.accepted} style={{ width: width(1 - accept) }} />
        </div>
        <div className={classes.needle} style={{ left: width(similarity) }} />
      </div>
      <Group justify="space-between">
        <Text size="xs">{words("rejects", { value: percent(reject) })}</Text>
        <Text size="xs">{words("accepts", { value: percent(accept) })}</Text>
      </Group>
    </Stack>
  );
}
