import { SimpleGrid, Text } from "@mantine/core";

/** Numbers with their names, side by side. */
export function Figures({ figures }: { figures: [name: string, value: string | number][] }) {
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Text fw={700}>{value}</Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
