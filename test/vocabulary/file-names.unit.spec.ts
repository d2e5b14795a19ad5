import { cleanFileName } from '../../src/vocabulary/file-names';

it.each([
  ['extract.pdf', 'extract.pdf'],
  ['/tmp/extract.pdf', 'extract.pdf'],
  ['..\\..\\extract.pdf', 'extract.pdf'],
  ['a"; filename="b.pdf', 'a filename=b.pdf'],
  ['line\r\nbreak\u0000.pdf', 'linebreak.pdf'],
  ['\u202efdp.exe', 'fdp.exe'],
  ['  two   words .pdf ', 'two words .pdf'],
  ['...', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['E\u0301.pdf', '\u00c9.pdf'],
])('makes %j the name %j, and nothing else of it again', (text, name) => {
  expect(cleanFileName(text)).toBe(name);
  expect(cleanFileName(name)).toBe(name);
});

it('keeps the end of a name that is too long', () => {
  expect(cleanFileName(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(96)}.pdf`);
});
