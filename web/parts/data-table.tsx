import type { ComponentChildren } from 'preact';

type Column = { readonly heading: string; readonly isNumber?: boolean };
export type Row = {
  readonly key: string;
  /** The address of the row's own page, to which the whole row leads. */
  readonly href?: string;
  /** The first cell names the row. */
  readonly cells: readonly [ComponentChildren, ...ComponentChildren[]];
};

type DataTableProps = {
  /** Names the region that the table scrolls in; no two tables of a page have one name. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
};

/** A table that scrolls inside of itself on a narrow screen. Each row leads to its object as a whole. */
export function DataTable({ name, columns, rows }: DataTableProps) {
  return (
    <div class="scroller" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ heading, isNumber = false }) => (
              <th key={heading} scope="col" class={isNumber ? 'number' : undefined}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, href, cells: [first, ...cells] }) => (
            <tr key={key}>
              <th scope="row" class={columns[0]?.isNumber ? 'number' : undefined}>
                {href === undefined ? (
                  first
                ) : (
                  <a class="row-link" href={href}>
                    {first}
                  </a>
                )}
              </th>
              {cells.map((cell, column) => (
                <td key={column} class={columns[column + 1]?.isNumber ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
