import { createHash } from 'node:crypto';
import { html, Html } from '../docs/html';
import { STYLE } from '../docs/style';

export const HTML_TYPE = 'text/html; charset=utf-8';

const DIGEST = createHash('sha256').update(STYLE).digest('base64');
/** A formatter would put white space into an element of a template, and the digest would no longer hold. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
/** Allows the style of these pages, and nothing else. */
export const PLAIN_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${DIGEST}'`,
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page without script or image. The page carries its style, since a reader keeps the page as a file. */
export function plainPage(title: string, content: readonly Html[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Quittance</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;
}
