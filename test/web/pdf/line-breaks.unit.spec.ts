import { linesOf } from '../../../web/pdf/line-breaks';

/** The lines of a text whose letters are all one wide, and blanks too. */
const brokenAt = (width: number, text: string) =>
  linesOf(text, width, part => part.length).map(({ from, to }) => text.slice(from, to));

it.each<[name: string, width: number, text: string, lines: readonly string[]]>([
  ['a text that fits is one line', 20, 'Green tea, 100 g', ['Green tea, 100 g']],
  ['a line ends between words', 9, 'Green tea from Uji', ['Green tea', 'from Uji']],
  ['a word that fits just so stays', 5, 'Green tea', ['Green', 'tea']],
  ['Chinese needs no blank', 4, '绿茶一百克装', ['绿茶一百', '克装']],
  ['no Chinese line begins with a comma', 3, '绿茶一，二', ['绿茶', '一，二']],
  ['a long word is broken between its letters', 4, 'a Pneumono b', ['a', 'Pneu', 'mono', 'b']],
  ['an accent stays with its letter', 3, 'e\u0301e\u0301e\u0301', ['e\u0301', 'e\u0301', 'e\u0301']],
  ['an empty text is an empty line', 4, '', ['']],
  ['no width at all has a letter a line', 0, 'abc', ['a', 'b', 'c']],
])('%s', (_name, width, text, lines) => {
  expect(brokenAt(width, text)).toEqual(lines);
});
