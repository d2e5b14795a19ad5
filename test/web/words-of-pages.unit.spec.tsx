import { NETWORKS } from '../../src/vocabulary/networks';
import { Languages } from '../../web/words/languages';
import { NOW_MS, VIEWS } from './checkout-views';
import { EXTREMES, LONG_PAID } from './extreme-views';
import { figuresIn, INVOICES } from './invoice-views';
import { ENGLISH, FILES, stretched } from './message-files';
import { LINK_VIEWS } from './link-views';
import { NAMING, FAULT_TEXT, PAGES, rendered } from './rendered-pages';

/** The code that stands for English made strange on purpose. */
const STRETCHED = 'en-XA';
const LONGER = 1.3;
const languages = new Languages({ ...FILES, [STRETCHED]: stretched() });
const english = languages.chosen('en', undefined);

const withDigits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

/** Texts that pages show and that belong to no language. */
const DATA = [
  JSON.stringify([VIEWS, EXTREMES, LONG_PAID, LINK_VIEWS, INVOICES], withDigits),
  JSON.stringify(NETWORKS),
  JSON.stringify(NAMING),
  JSON.stringify(languages.all.map(({ name }) => name)),
  english.moment(NOW_MS),
  english.money('2500', 'EUR', 2),
  english.money('1234567891', 'KWD', 3),
  FAULT_TEXT,
  ...Object.values(INVOICES).flatMap(view => figuresIn(view, english)),
  '27.153040 USDC',
  '1.500000 USDC',
].join(' ');

const TAG = /<[^>]*>/g;
const TITLES = /(?:aria-label|alt|title|placeholder|data-said|data-copied|data-label-[a-z-]+)="([^"]*)"/g;
const LETTER = /\p{L}/u;
const LETTERS = /\p{L}/gu;
const ISOLATES = /[\u2066-\u2069]/g;

/** Each text of the page, and each attribute that is read out or shown by script. */
function textsOf(html: string): readonly string[] {
  return [...html.replace(TAG, '\n').split('\n'), ...[...html.matchAll(TITLES)].map(([, text]) => text ?? '')];
}

/** The parts of a text that stand outside of every message. */
function outside(text: string): readonly string[] {
  let depth = 0;
  const kept = [...text.replace(ISOLATES, '')].map(char => {
    if (char === '⟦') depth++;
    if (char === '⟧') depth--;
    return depth === 0 && char !== '⟧' ? char : '\n';
  });
  const parts = kept.join('').split('\n');
  return parts.map(part => part.trim()).filter(part => LETTER.test(part));
}

test('what stands outside of messages is seen', () => {
  expect(outside('Pay ⟦nöw ⟦x⟧ z⟧ 12 here')).toEqual(['Pay', '12 here']);
  expect(textsOf('<p aria-label="a">b<b>c</b></p>').filter(Boolean)).toEqual(['b', 'c', 'a']);
});

describe.each(Object.keys(PAGES))('the page "%s"', name => {
  it('has all its words from messages', () => {
    const own = textsOf(rendered(languages, STRETCHED, name)).flatMap(outside);
    expect(own.filter(text => !DATA.includes(text))).toEqual([]);
  });

  it.each(Object.keys(FILES))('is written in %s', code => {
    const text = rendered(languages, code, name);
    expect(text).toContain(`<html lang="${code}" dir="${FILES[code]?.['language.direction']}">`);
    // The page's script fills in the name of a wallet.
    expect(text.replace('{wallet}', '')).not.toMatch(/[{}]|undefined|NaN|\[object/);
  });
});

test('a language takes a file alone', () => {
  const invented = { ...ENGLISH, 'language.name': 'Neusprech', 'confirmed.title': 'Doppelplusgut' };
  const more = new Languages({ ...FILES, 'de-1996': invented });
  const text = rendered(more, 'de-1996', 'confirmed');
  expect(text).toContain('<h1 id="title">Doppelplusgut</h1>');
  expect(text).toContain('>Neusprech</a>');
  expect(rendered(more, 'en', 'confirmed')).toContain('href="/checkout/pi_1?lang=de-1996"');
});

test('the stretched language is longer by its words, and keeps arguments', () => {
  const words = stretched();
  const letters = (messages: object) => Object.values(messages).join('').match(LETTERS)?.length ?? 0;
  expect(letters(words)).toBeGreaterThan(letters(ENGLISH) * LONGER);
  expect(words['confirming.sentence']).toBe(
    '⟦{count, number} ofö {required, number} {required, plural, one {confirmationööööö} other {confirmationsöööööö}}.⟧',
  );
});
