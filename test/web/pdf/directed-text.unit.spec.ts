import { DirectedText, type Direction } from '../../../web/pdf/directed-text';

/** The runs of a text on one line, the leftmost one first. An arrow stands before a run that is read leftwards. */
const runsOf = (text: string, base: Direction | 'auto' = 'auto') =>
  new DirectedText(text, base).runs(0, text.length).map(run => (run.direction === 'rtl' ? `←${run.text}` : run.text));

it.each<[name: string, text: string, base: Direction | 'auto', expected: readonly string[]]>([
  ['one direction is one run', 'Green tea, 100 g', 'auto', ['Green tea, 100 g']],
  ['Chinese runs as Latin does', '绿茶 100 克', 'auto', ['绿茶 100 克']],
  ['Arabic runs leftwards as a whole', 'شاي أخضر', 'auto', ['←شاي أخضر']],
  ['digits inside Arabic run rightwards', 'شاي 100 غرام', 'auto', ['← غرام', '100', '←شاي ']],
  ['digits of Arabic do so too', 'شاي ١٢٣ غرام', 'auto', ['← غرام', '١٢٣', '←شاي ']],
  ['a name of Latin letters stands behind', 'ليلى Layla', 'auto', ['Layla', '←ليلى ']],
  ['the full stop of an Arabic sentence stands at its left', 'شاي Tea.', 'rtl', ['←.', 'Tea', '←شاي ']],
  ['an Arabic word in an English sentence', 'Tea شاي!', 'ltr', ['Tea ', '←شاي', '!']],
  ['Hebrew', 'שלום, עולם', 'auto', ['←שלום, עולם']],
  ['an amount with its mark', '\u200f91.39\u00a0€', 'rtl', ['←\u00a0€', '91.39']],
  ['an amount below zero', '\u200f\u200e-1.88\u00a0€', 'rtl', ['←\u00a0€', '-1.88']],
  [
    'a text that is isolated does not turn its neighbours',
    '\u2068INV-7/ب\u2069، 1',
    'rtl',
    ['1', '←، ', 'INV-7/', '←ب'],
  ],
])('%s', (_name, text, base, expected) => {
  expect(runsOf(text, base)).toEqual(expected);
});

it('turns brackets with their text, and no others', () => {
  // The text of a run is in the order of reading, and its letters are those that are drawn.
  expect(runsOf('(شاي)', 'rtl')).toEqual(['←)شاي(']);
  expect(runsOf('ليلى (Layla)', 'rtl')).toEqual(['←(', 'Layla', '←ليلى )']);
  expect(runsOf('Layla (Tea)', 'ltr')).toEqual(['Layla (Tea)']);
});

it('joins the letters of two scripts by the rules of each', () => {
  expect(runsOf('שלום شاي')).toEqual(['←شاي', '←שלום ']);
});

it('orders each line of a paragraph for itself', () => {
  const text = 'شاي Green tea أخضر';
  const place = text.indexOf('tea');
  const paragraph = new DirectedText(text, 'auto');
  const texts = (from: number, to: number) => paragraph.runs(from, to).map(run => run.text);
  expect(texts(0, place - 1)).toEqual(['Green', 'شاي ']);
  expect(texts(place, text.length)).toEqual([' أخضر', 'tea']);
  expect(texts(place, place)).toEqual([]);
});

it('knows the direction of a paragraph', () => {
  expect(new DirectedText('1. شاي Tea', 'auto').direction).toBe('rtl');
  expect(new DirectedText('1. Tea شاي', 'auto').direction).toBe('ltr');
  expect(new DirectedText('Tea', 'rtl').direction).toBe('rtl');
  expect(new DirectedText('', 'rtl').direction).toBe('rtl');
});
