import { Box, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useNumberText } from "./numbers";

interface Props {
  label: string;
  head: string[];
  rows: { id: string; cells: ReactNode[] }[];
}

// More columns do not fit a phone.
const FIT = 3;

/**
 * A table to read. On a phone, each row of a table of many columns is a block with the name of the
 * column before each value. Otherwise a wide table scrolls sideways, also by the arrow keys.
 */
export function PlainTable({ label, head, rows }: Props) {
  const text = useNumberText();
  return (
    <Box role="region" aria-label={label} tabIndex={0} className="scrolls">
      {/* The roles: a browser takes them from a table whose rows are blocks. */}
      <Table
        verticalSpacing="xs"
        aria-label={label}
        role="table"
        className={head.length > FIT ? "stacks" : undefined}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {head.map((text, place) => (
              <Table.Th key={text || place} scope="col" role="columnheader">
                {text || <span className="unseen">{label}</span>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map(({ id, cells }) => (
            <Table.Tr key={id} role="row">
              {cells.map((cell, place) => (
                <Table.Td key={head[place] || place} role="cell">
                  {head.length > FIT && (
                    <span className="column-name" aria-hidden>
                      {head[place]}
                    </span>
                  )}
                  {typeof cell === "number" ? text(cell) : cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
