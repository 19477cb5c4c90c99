import { Box, Table } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  label: string;
  head: string[];
  rows: { id: string; cells: ReactNode[] }[];
}

/** A table to read. On a narrow page it scrolls sideways, also by the arrow keys. */
export function PlainTable({ label, head, rows }: Props) {
  return (
    <Box role="region" aria-label={label} tabIndex={0} className="scrolls">
      <Table verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {head.map((text, place) => (
              <Table.Th key={text || place} scope="col">
                {text || <span className="unseen">{label}</span>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, cells }) => (
            <Table.Tr key={id}>
              {cells.map((cell, place) => (
                <Table.Td key={head[place] || place}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
