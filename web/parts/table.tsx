import type { ComponentChildren } from 'preact';

type TableProps = {
  /** Names the region that the table scrolls in; no two tables of a page have one name. */
  readonly name: string;
  readonly headings: readonly string[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly [ComponentChildren, ...ComponentChildren[]])[];
};

/** A table that scrolls inside of itself on a narrow screen, by touch and by keyboard. */
export function Table({ name, headings, rows }: TableProps) {
  return (
    <div class="scroller" role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {headings.map(heading => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{first}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
