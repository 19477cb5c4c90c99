/**
 * A table whose rows open something. The arrow keys, `j` and `k` choose a row, Enter opens it.
 */
import { Table } from "@mantine/core";
import { type ColumnDef, tableFeatures, useTable } from "@tanstack/react-table";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";

const features = tableFeatures({});

export interface Column<T extends object> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Left out on a phone. */
  isWide?: boolean;
}

interface Props<T extends object> {
  label: string;
  rows: T[];
  columns: Column<T>[];
  idOf: (row: T) => string;
  chosen: string | null;
  onChoice: (id: string) => void;
  onOpen: (row: T) => void;
}

export function DataTable<T extends object>(props: Props<T>) {
  const { rows, columns, idOf, chosen, onChoice, onOpen, label } = props;
  const definitions = useMemo(
    () =>
      columns.map(
        (column): ColumnDef<typeof features, T> => ({
          id: column.id,
          header: column.header,
          cell: ({ row }) => column.cell(row.original),
        }),
      ),
    [columns],
  );
  const table = useTable({ features, columns: definitions, data: rows, getRowId: idOf });
  const wide = new Set(columns.filter((column) => column.isWide).map((column) => column.id));
  const from = (id: string) => (wide.has(id) ? { visibleFrom: "sm" } : {});
  const onKeyDown = (event: KeyboardEvent, row: T) => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    event.preventDefault();
    onOpen(row);
  };
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th key={header.id} scope="col" {...from(header.id)}>
                  <table.FlexRender header={header} />
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map((row) => (
            <Table.Tr
              key={row.id}
              tabIndex={0}
              className="chooses"
              data-row={row.id}
              data-chosen={row.id === chosen || undefined}
              aria-current={row.id === chosen || undefined}
              onFocus={() => onChoice(row.id)}
              onClick={() => onOpen(row.original)}
              onKeyDown={(event) => onKeyDown(event, row.original)}
            >
              {row.getAllCells().map((cell) => (
                <Table.Td key={cell.id} {...from(cell.column.id)}>
                  <table.FlexRender cell={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Move the focus to the row `by` places after the chosen one. */
export function moveChoice(ids: string[], chosen: string | null, by: number) {
  const place = chosen === null ? -1 : ids.indexOf(chosen);
  const next = ids[Math.min(Math.max(place + by, 0), ids.length - 1)];
  if (next === undefined) return;
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"]`)?.focus();
}
