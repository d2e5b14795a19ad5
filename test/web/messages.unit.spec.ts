import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { SCREENS } from '../../web/checkout/screens/checkout-screen';
import { argumentsOf, ENGLISH, FILES, KEYS, OTHERS, partsOf, pluralsOf } from './message-files';

const WEB = path.join(__dirname, '../../web');
/** Languages that are written from right to left. */
const LEFTWARD = ['ar', 'fa', 'he', 'ur'];
const LINK_STANDINGS = ['open', 'spent', 'ended', 'inactive'];
const CLAIM_STATES = ['pending', 'in_review', 'attributed', 'refused'];

/** Keys that pages put together, by the template that does so. */
const PUT_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  '${screen}.title': SCREENS.map(screen => `${screen}.title`),
  '${screen}.sentence': SCREENS.map(screen => `${screen}.sentence`),
  'claim.${claim.status}': CLAIM_STATES.map(state => `claim.${state}`),
  'pay.${standing}.title': LINK_STANDINGS.map(standing => `pay.${standing}.title`),
  'pay.${standing}.sentence': LINK_STANDINGS.map(standing => `pay.${standing}.sentence`),
};

/** Values that are rightly those of English: each was looked at. */
const AS_IN_ENGLISH: Readonly<Record<string, readonly string[]>> = {
  // An equation and a name beside a title have no words of their own.
  '*': ['checkout.document_title', 'checkout.rate_value', 'invoice.times'],
  // The direction of the writing.
  ltr: ['language.direction'],
  fr: ['checkout.transaction', 'confirming.label'],
};

test('there are the languages that the service promises', () => {
  expect(Object.keys(FILES)).toEqual(expect.arrayContaining(['ar', 'de', 'en', 'es', 'fr', 'zh']));
});

describe.each(Object.keys(FILES))('the messages in %s', code => {
  const messages = FILES[code] ?? ENGLISH;

  it('have the keys of English, in the same order', () => {
    expect(Object.keys(messages)).toEqual(KEYS);
  });

  it('are no empty texts, and have no blanks around them', () => {
    expect(KEYS.filter(key => messages[key] === '' || messages[key].trim() !== messages[key])).toEqual([]);
  });

  it('take the same arguments as in English', () => {
    const named = (of: typeof messages) => KEYS.map(key => `${key}(${argumentsOf(of[key]).join(', ')})`);
    expect(named(messages)).toEqual(named(ENGLISH));
    expect(named(messages).filter(text => text.includes('unknown'))).toEqual([]);
  });

  it('have a branch for each form that a number of the language takes', () => {
    const rules = new Intl.PluralRules(code);
    const forms = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
    for (const key of KEYS)
      for (const { options } of pluralsOf(messages[key]))
        expect([key, ...Object.keys(options).sort()]).toEqual([key, ...[...forms].sort()]);
  });

  it('hold no mark that ICU would take as its own, and none that shouts', () => {
    expect(KEYS.filter(key => messages[key].includes("'") || messages[key].includes('#'))).toEqual([]);
    expect(KEYS.filter(key => /[!！¡<>]/.test(messages[key]))).toEqual([]);
  });

  it('count in the digits of wallets', () => {
    expect(KEYS.filter(key => /\p{Nd}/u.test(messages[key].replace(/[0-9]/g, '')))).toEqual([]);
  });

  it('name the language and its direction', () => {
    const own = new Intl.DisplayNames([code], { type: 'language' }).of(code)?.toLowerCase() ?? '';
    expect(messages['language.name'].toLowerCase()).toContain(own);
    expect(messages['language.direction']).toBe(LEFTWARD.includes(code) ? 'rtl' : 'ltr');
  });
});

it.each(OTHERS)('%s repeats nothing of English that was not looked at', code => {
  const messages = FILES[code] ?? ENGLISH;
  const allowed = [messages['language.direction'], code, '*'].flatMap(name => AS_IN_ENGLISH[name] ?? []);
  const repeated = KEYS.filter(key => messages[key] === ENGLISH[key]);
  expect(repeated.filter(key => !allowed.includes(key))).toEqual([]);
});

it('holds no exception that no language needs', () => {
  const repeats = (code: string, key: string) => valueOf(code, key) === valueOf('en', key);
  const needless = Object.entries(AS_IN_ENGLISH).flatMap(([name, keys]) =>
    keys.filter(key => !OTHERS.some(code => (name === code || !(name in FILES)) && repeats(code, key))),
  );
  expect(needless).toEqual([]);
});

it('sees a fault in a message', () => {
  expect(() => partsOf('{count, plural, one {x}}')).toThrow();
  expect(() => partsOf('{shop')).toThrow();
  expect(argumentsOf('{b} {a, number} {a, plural, one {{c}} other {}}')).toEqual(['a: number', 'b: text', 'c: text']);
  expect(argumentsOf('{at, date}')).toEqual(['at: unknown']);
});

describe('the pages', () => {
  const { literals, templates } = wordsOfPages();

  it('use every message', () => {
    const put = Object.values(PUT_TOGETHER).flat();
    expect(KEYS.filter(key => !literals.has(key) && !put.includes(key))).toEqual([]);
  });

  it('put keys together in the known ways alone', () => {
    expect(Object.keys(PUT_TOGETHER).filter(template => !templates.has(template))).toEqual([]);
    expect(
      Object.values(PUT_TOGETHER)
        .flat()
        .filter(key => !(key in ENGLISH)),
    ).toEqual([]);
  });
});

function valueOf(code: string, key: string): string | undefined {
  const messages: Readonly<Record<string, string>> = FILES[code] ?? {};
  return messages[key];
}

/** The literal texts of web's sources, and the templates as they are written there. */
function wordsOfPages() {
  const literals = new Set<string>();
  const templates = new Set<string>();
  for (const name of readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))) {
    const file = ts.createSourceFile(name, readFileSync(path.join(WEB, name), 'utf8'), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node)) literals.add(node.text);
      if (ts.isTemplateExpression(node)) templates.add(node.getText().slice(1, -1));
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { literals, templates };
}
