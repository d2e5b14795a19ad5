import { keepsRule, patternOf, type TextRule } from '../../src/vocabulary/text-rules';

const RULES: readonly TextRule[] = [
  { isWritten: true },
  { isOneLine: true },
  { isPlain: true },
  { isWritten: true, isOneLine: true },
  { isWritten: true, isPlain: true },
];
/** A letter, white space of all kinds, each control character, and characters of two units. */
const CHARACTERS = [
  ...Array.from({ length: 0xa1 }, (_, code) => String.fromCodePoint(code)),
  ...['\u2028', '\u3000', '\ufeff', '\u00e9', '\u{1f4b0}'],
];
const TEXTS = [
  '',
  ...CHARACTERS.flatMap(character => [character, `a${character}`, ` ${character}b `, `\n${character}`]),
];

/** With the flag for Unicode and without, since readers of a contract differ in it. */
it.each(RULES.flatMap(rule => ['u', ''].map(flags => [rule, flags] as const)))(
  'the pattern of %j takes with flags "%s" the texts that the rule takes',
  (rule, flags) => {
    const pattern = new RegExp(patternOf(rule) ?? '', flags);
    const differing = TEXTS.filter(text => pattern.test(text) !== keepsRule(text, rule));
    expect(differing).toEqual([]);
  },
);

it('a rule on length alone has no pattern', () => {
  expect(patternOf({ max: 5 })).toBeNull();
});
