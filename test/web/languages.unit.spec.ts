import { acceptedRanges } from '../../web/words/accepted-ranges';
import { encodingFor } from '../../web/http/encoding';
import { Languages } from '../../web/words/languages';
import { ENGLISH, FILES } from './message-files';

const languages = new Languages({ ...FILES, 'pt-BR': ENGLISH });
const chosen = (named: string | undefined, accepted?: string) => languages.chosen(named, accepted).code;

describe('the language of a page', () => {
  it.each([
    ['de', undefined, 'de'],
    ['de', 'fr', 'de'],
    ['pt-BR', 'fr', 'pt-BR'],
    ['xx', 'fr', 'fr'],
    ['DE', 'fr', 'fr'],
    ['', 'fr', 'fr'],
    ['__proto__', 'fr', 'fr'],
    ['../de', undefined, 'en'],
    [undefined, undefined, 'en'],
  ])('named as %j, with %j accepted, is %s', (named, accepted, code) => expect(chosen(named, accepted)).toBe(code));

  it('is the browser’s where the address names several', () => {
    expect(chosen(['de', 'es'] as unknown as string, 'fr')).toBe('fr');
  });

  it.each([
    ['de', 'de'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh-Hant-TW', 'zh'],
    ['ar-EG', 'ar'],
    ['es-419, es;q=0.9', 'es'],
    ['pt-BR,pt;q=0.9', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['pt,fr;q=0.1', 'fr'],
    ['FR-ca', 'fr'],
    ['en;q=0.5, fr;q=0.7, de;q=0.6', 'fr'],
    ['fr;q=0.7,de;q=0.7', 'fr'],
    ['fr ; q=0.7 ,\tde ; q=0.8', 'de'],
    ['nl, sv;q=0.9, de;q=0.1', 'de'],
    ['nl, fr;q=0', 'en'],
    ['fr;q=0.000, de;q=0.001', 'de'],
    ['*', 'en'],
    ['*;q=0.5, de;q=0.4', 'de'],
    ['', 'en'],
    [',,;q=1,,', 'en'],
    // A quality above one is none, and neither is one with four digits.
    ['fr;q=1.5, de;q=0.1', 'de'],
    ['fr;q=0.9999, de;q=0.1', 'de'],
    ['fr;q=-1, de;q=NaN', 'en'],
    ['fr;level=1, de;q=0.1', 'de'],
    ['<script>, fr', 'fr'],
    ['constructor, __proto__', 'en'],
  ])('where %j is accepted is %s', (accepted, code) => expect(chosen(undefined, accepted)).toBe(code));

  it('looks at no more of a header than browsers send', () => {
    expect(chosen(undefined, `${'nl,'.repeat(100)}de`)).toBe('de');
    expect(chosen(undefined, `${'nl,'.repeat(200)}de`)).toBe('en');
    expect(chosen(undefined, 'a'.repeat(1_000_000))).toBe('en');
    expect(chosen(undefined, 'de-'.repeat(1_000_000))).toBe('en');
  });

  it('takes no part of a range that it cuts in two', () => {
    const filler = 'nl,'.repeat(170);
    expect(filler).toHaveLength(510);
    expect(chosen(undefined, `${filler}de;q=0.1,fr`)).toBe('en');
    expect(chosen(undefined, `fr;q=0.1,${'nl,'.repeat(166)}de-at;q=0.01`)).toBe('fr');
  });

  it('is listed by its code', () => {
    expect(languages.all.map(({ code }) => code)).toEqual(['ar', 'de', 'en', 'es', 'fr', 'pt-BR', 'zh']);
  });
});

test('nothing is written where there is no English', () => {
  expect(() => new Languages({}).chosen(undefined, undefined)).toThrow('no English');
});

test('ranges are told in the order of their qualities', () => {
  expect(acceptedRanges('b;q=0.5, a, c;q=0, d;q=0.7')).toEqual(['a', 'd', 'b']);
  expect(acceptedRanges(undefined)).toEqual([]);
});

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'br'],
  ['br;q=0, gzip;q=0.3', 'gzip'],
  ['BR', 'br'],
  ['brotli', 'identity'],
  ['br;q=0,gzip;q=0.000', 'identity'],
  ['identity', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('to a client that takes %j pages are sent as %s', (accepted, encoding) =>
  expect(encodingFor(accepted)).toBe(encoding),
);
