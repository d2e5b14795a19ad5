import { prefersHtml } from '../../../src/platform/http/preferred-type';

it.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML ; level=1', true],
  ['text/*, application/json;q=0.5', true],
  ['text/html;q=0.3, application/json;q=0.2', true],
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/html', false],
  ['text/html;q=0.5, */*', false],
  ['text/html;q=0, text/*', false],
  ['text/plain', false],
  [`${'a/b,'.repeat(4_000)}text/html`, false],
])('tells of Accept %j whether it prefers a page: %s', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected);
});
