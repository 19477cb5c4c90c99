import { Alert, Box, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useCommonWords } from "@/texts/common";

/** Lines to copy: an example, a link, a key. */
export function Copied({ text, label }: { text: string; label: string }) {
  const common = useCommonWords();
  return (
    <Stack gap={4} align="stretch" w="100%">
      <Group justify="space-between" align="flex-end">
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
              {common(copied ? "copied" : "copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Box role="region" aria-label={label} tabIndex={0} className="scrolls">
        <Code block>{text}</Code>
      </Box>
    </Stack>
  );
}

interface SecretProps {
  text: string;
  label: string;
  /** That it is shown only now. */
  warning: string;
  onClose: () => void;
}

/** A secret that the API answers once. It stays until the user says that it is kept. */
export function Secret({ text, label, warning, onClose }: SecretProps) {
  const common = useCommonWords();
  return (
    <Alert variant="outline" color="orange" role="status">
      <Stack align="stretch">
        <Text>{warning}</Text>
        <Copied text={text} label={label} />
        <Button variant="default" onClick={onClose}>
          {common("close")}
        </Button>
      </Stack>
    </Alert>
  );
}
