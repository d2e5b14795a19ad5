import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { CUSTOMER_LANGUAGES } from '../../src/vocabulary/customer-languages';
import { SCREENS } from '../../web/checkout/screens/checkout-screen';
import { argumentsOf, CUSTOMER_MAIL_FILES, ENGLISH, FILES, MAIL_FILES, partsOf, pluralsOf } from './message-files';

const WEB = path.join(__dirname, '../../web');
/** Languages that are written from right to left. */
const LEFTWARD = ['ar', 'fa', 'he', 'ur'];
const LINK_STANDINGS = ['open', 'spent', 'ended', 'inactive'];
const PROMISED = CUSTOMER_LANGUAGES;
const NAMING_STATES = ['pending', 'in_review', 'attributed', 'refused'];

/** Keys that pages put together, by the template that does so. */
const PUT_TOGETHER: Readonly<Record<string, readonly string[]>> = {
  '${screen}.title': SCREENS.map(screen => `${screen}.title`),
  '${screen}.sentence': SCREENS.map(screen => `${screen}.sentence`),
  'naming.${naming.status}': NAMING_STATES.map(state => `naming.${state}`),
  'pay.${standing}.title': LINK_STANDINGS.map(standing => `pay.${standing}.title`),
  'pay.${standing}.sentence': LINK_STANDINGS.map(standing => `pay.${standing}.sentence`),
};

type Files = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** Values that are rightly those of English, by language, by the direction of its writing, or by `*` for all. */
type Repeated = Readonly<Record<string, readonly string[]>>;

/** The sets of files, the languages that each has at least, and values that are rightly those of English. */
const SETS: readonly { of: string; files: Files; promised: readonly string[]; asInEnglish: Repeated }[] = [
  {
    of: 'pages',
    files: FILES,
    promised: PROMISED,
    asInEnglish: {
      // An equation and a name beside a title have no words of their own.
      '*': ['checkout.document_title', 'checkout.rate_value', 'invoice.times'],
      ltr: ['language.direction'],
      fr: ['checkout.transaction', 'confirming.label'],
    },
  },
  { of: 'mails', files: MAIL_FILES, promised: ['en'], asInEnglish: {} },
  {
    of: 'mails to customers',
    files: CUSTOMER_MAIL_FILES,
    promised: PROMISED,
    asInEnglish: {
      ltr: ['language.direction'],
      de: ['text.line'],
      es: ['text.line'],
      fr: ['invoice.test_subject'],
    },
  },
];
const LANGUAGES = SETS.flatMap(({ of, files }) =>
  Object.entries(files).map(([code, messages]) => ({ of, code, messages, english: files.en ?? {} })),
);

test.each(SETS)('the words of $of are in the languages that the service promises', ({ files, promised }) => {
  expect(Object.keys(files)).toEqual(expect.arrayContaining([...promised]));
});

describe.each(LANGUAGES)('the messages of $of in $code', ({ code, messages, english }) => {
  const keys = Object.keys(english);
  const valueOf = (key: string) => messages[key] ?? '';

  it('have the keys of English, in the same order', () => {
    expect(Object.keys(messages)).toEqual(keys);
  });

  it('are no empty texts, and have no blanks around them', () => {
    expect(keys.filter(key => valueOf(key) === '' || valueOf(key).trim() !== valueOf(key))).toEqual([]);
  });

  it('take the same arguments as in English', () => {
    const named = (of: Files[string]) => keys.map(key => `${key}(${argumentsOf(of[key] ?? '').join(', ')})`);
    expect(named(messages)).toEqual(named(english));
    expect(named(messages).filter(text => text.includes('unknown'))).toEqual([]);
  });

  it('have a branch for each form that a number of the language takes', () => {
    const rules = new Intl.PluralRules(code);
    const forms = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
    for (const key of keys)
      for (const { options } of pluralsOf(valueOf(key)))
        expect([key, ...Object.keys(options).sort()]).toEqual([key, ...[...forms].sort()]);
  });

  it('hold no mark that ICU would take as its own, and none that shouts', () => {
    expect(keys.filter(key => valueOf(key).includes("'") || valueOf(key).includes('#'))).toEqual([]);
    expect(keys.filter(key => /[!！¡<>]/.test(valueOf(key)))).toEqual([]);
  });

  it('count in the digits of wallets', () => {
    expect(keys.filter(key => /\p{Nd}/u.test(valueOf(key).replace(/[0-9]/g, '')))).toEqual([]);
  });

  it('name the language and its direction', () => {
    const own = new Intl.DisplayNames([code], { type: 'language' }).of(code)?.toLowerCase() ?? '';
    expect(valueOf('language.name').toLowerCase()).toContain(own);
    expect(valueOf('language.direction')).toBe(LEFTWARD.includes(code) ? 'rtl' : 'ltr');
  });
});

describe.each(SETS)('the words of $of', ({ files, asInEnglish }) => {
  const english = files.en ?? {};
  const others = Object.entries(files).filter(([code]) => code !== 'en');
  const namesOf = (code: string) => [files[code]?.['language.direction'] ?? '', code, '*'];

  it('repeat nothing of English that was not looked at', () => {
    const unseen = others.flatMap(([code, messages]) => {
      const allowed = namesOf(code).flatMap(name => asInEnglish[name] ?? []);
      const repeated = Object.keys(english).filter(key => messages[key] === english[key]);
      return repeated.filter(key => !allowed.includes(key)).map(key => `${code}: ${key}`);
    });
    expect(unseen).toEqual([]);
  });

  it('have no exception that no language needs', () => {
    const isNeeded = (name: string, key: string) =>
      others.some(([code, messages]) => namesOf(code).includes(name) && messages[key] === english[key]);
    const needless = Object.entries(asInEnglish).flatMap(([name, keys]) => keys.filter(key => !isNeeded(name, key)));
    expect(needless).toEqual([]);
  });
});

it('sees a fault in a message', () => {
  expect(() => partsOf('{count, plural, one {x}}')).toThrow();
  expect(() => partsOf('{shop')).toThrow();
  expect(argumentsOf('{b} {a, number} {a, plural, one {{c}} other {}}')).toEqual(['a: number', 'b: text', 'c: text']);
  expect(argumentsOf('{at, date}')).toEqual(['at: unknown']);
});

describe('the sources', () => {
  const { literals, templates } = wordsOfSources();
  const put = Object.values(PUT_TOGETHER).flat();

  it.each(SETS)('use every message of $of', ({ files }) => {
    expect(Object.keys(files.en ?? {}).filter(key => !literals.has(key) && !put.includes(key))).toEqual([]);
  });

  it('put keys together in the known ways alone', () => {
    expect(Object.keys(PUT_TOGETHER).filter(template => !templates.has(template))).toEqual([]);
    expect(put.filter(key => !(key in ENGLISH))).toEqual([]);
  });
});

/** The literal texts of web's sources, and the templates as they are written there. */
function wordsOfSources() {
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
