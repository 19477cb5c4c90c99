/**
 * A table whose rows open something. The arrow keys, `j` and `k` choose a row, Enter opens it.
 */
import { Table } from "@mantine/core";
import { type ColumnDef, FlexRender, type Row, tableFeatures, useTable } from "@tanstack/react-table";
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useMemo, useRef } from "react";

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
  const { rows, columns, idOf, chosen, label } = props;
  // Rows are rendered again only if they change, not the functions that they call.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const acts = useMemo<Acts<T>>(
    () => ({
      onChoice: (id) => latest.current.onChoice(id),
      onOpen: (row) => latest.current.onOpen(row),
    }),
    [],
  );
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
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table highlightOnHover verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th key={header.id} scope="col" {...from(columns, header.id)}>
                  <FlexRender header={header} />
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {table.getRowModel().rows.map((row) => (
            <KeptRow
              key={row.id}
              row={row}
              columns={columns}
              isChosen={row.id === chosen}
              acts={acts}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const from = (columns: readonly { id: string; isWide?: boolean }[], id: string) =>
  columns.find((column) => column.id === id)?.isWide ? { visibleFrom: "sm" } : {};

type Acts<T extends object> = Pick<Props<T>, "onChoice" | "onOpen">;

interface RowProps<T extends object> {
  row: Row<typeof features, T>;
  columns: Column<T>[];
  isChosen: boolean;
  acts: Acts<T>;
}

function DataRow<T extends object>({ row, columns, isChosen, acts }: RowProps<T>) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    event.preventDefault();
    acts.onOpen(row.original);
  };
  return (
    <Table.Tr
      tabIndex={0}
      className="chooses"
      data-row={row.id}
      data-chosen={isChosen || undefined}
      aria-current={isChosen || undefined}
      onFocus={() => acts.onChoice(row.id)}
      onClick={() => acts.onOpen(row.original)}
      onKeyDown={onKeyDown}
    >
      {row.getAllCells().map((cell) => (
        <Table.Td key={cell.id} {...from(columns, cell.column.id)}>
          <FlexRender cell={cell} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

const KeptRow = memo(DataRow) as typeof DataRow;

/** Move the focus to the row `by` places after the chosen one. */
export function moveChoice(ids: string[], chosen: string | null, by: number) {
  const place = chosen === null ? -1 : ids.indexOf(chosen);
  const next = ids[Math.min(Math.max(place + by, 0), ids.length - 1)];
  if (next === undefined) return;
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next)}"]`)?.focus();
}
