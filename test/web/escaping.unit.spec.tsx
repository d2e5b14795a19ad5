import { renderToString } from 'preact-render-to-string';
import { Prose } from '../../web/parts/prose';
import { Table } from '../../web/parts/table';
import { readGuide } from '../../web/docs/read-guide';
import { Blocks } from '../../web/docs/screens/markdown';

const HOSTILE = `<img src=x onerror='a'>"&`;

test('every value is escaped, in text and in attributes', () => {
  const text = renderToString(<Table name={HOSTILE} headings={[HOSTILE]} rows={[[HOSTILE]]} />);
  expect(text).not.toContain('<img');
  expect(text.match(/&lt;img/g)).toHaveLength(3);
  expect(text).toContain(`aria-label="&lt;img src=x onerror='a'>&quot;&amp;"`);
});

test('names between backticks are code, and stay escaped', () => {
  expect(renderToString(<Prose text="one `<b>` two" />)).toBe('one <code>&lt;b></code> two');
});

test('markup in a guide is shown as text, and a comment is left out', () => {
  const guide = readGuide('# A <b>title</b>\n\n<script>alert(1)</script>\n\n<!-- a comment -->\n\ninline <i>x</i>\n');
  const site = { root: '/docs', contract: '/openapi.json', guides: [] };
  const text = renderToString(<Blocks site={site} blocks={guide.blocks} />);
  expect(text).not.toMatch(/<(?:script|b|i)>|comment/);
  expect(text).toContain('&lt;script>alert(1)&lt;/script>');
});
