import { Button } from "@mantine/core";
import { useCommonWords } from "@/texts/common";

interface Props {
  /** What was changed and is not saved; without a change there is nothing to press. */
  changes: object;
  loading: boolean;
}

/** The button at the end of a form of settings. */
export function SaveButton({ changes, loading }: Props) {
  const common = useCommonWords();
  return (
    <Button
      type="submit"
      w="fit-content"
      loading={loading}
      disabled={Object.keys(changes).length === 0}
    >
      {common("save")}
    </Button>
  );
}
