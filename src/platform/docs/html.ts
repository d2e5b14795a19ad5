/** Text that may stand in a page as it is. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlValue = Html | string | number | readonly HtmlValue[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose every value is escaped, except values that are Html already. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(strings.reduce((page, part, at) => page + rendered(values[at - 1] ?? null) + part));
}

/** Rows come with their cells; a heading stands over each. */
export function table(headings: readonly string[], rows: readonly Html[]): Html {
  return html`<table>
    <thead>
      <tr>
        ${headings.map(heading => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function rendered(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(rendered).join('');
  return String(value).replace(/[&<>"']/g, character => ESCAPES[character] as string);
}
