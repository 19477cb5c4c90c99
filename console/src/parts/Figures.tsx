import { Text } from "@mantine/core";
import { useNumberText } from "./numbers";

/** Numbers with their names, side by side. */
export function Figures({ figures }: { figures: [name: string, value: string | number][] }) {
  const text = useNumberText();
  return (
    <dl className="figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" fw={700} m={0}>
            {typeof value === "number" ? text(value) : value}
          </Text>
        </div>
      ))}
    </dl>
  );
}
