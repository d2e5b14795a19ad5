import { html, type Html, type HtmlValue } from './html';

/** The answer for a path below the documentation. */
export type Page = { readonly status: number; readonly type: string; readonly body: string };

export type Asset = { readonly type: string; readonly body: string };

/** A whole page; `root` is the documentation's own path, such as `/docs`. */
export function page(root: string, title: string, content: HtmlValue, status = 200): Page {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Quittance</title>
        <link rel="stylesheet" href="${root}/docs.css" />
        <script src="${root}/try-it.js" defer></script>
      </head>
      <body>
        <header>
          <nav aria-label="Documentation">
            <a href="${root}">Operations</a> <a href="${root}/errors">Error codes</a>
            <a href="${root.replace(/docs$/, 'openapi.json')}">openapi.json</a>
          </nav>
        </header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  return { status, type: 'text/html; charset=utf-8', body: body.text };
}

export function definitions(entries: Readonly<Record<string, HtmlValue>>): Html {
  const rows = Object.entries(entries).map(
    ([term, value]) =>
      html`<dt>${term}</dt>
        <dd>${value}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}

/** Nothing where there is no value. */
export function jsonBlock(value: unknown): HtmlValue {
  return value === undefined ? null : html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

/** Text whose parts between backticks are shown as code. */
export function prose(text: string): HtmlValue {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
