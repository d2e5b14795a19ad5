import LineBreaker from 'linebreak';

/** A line of a text: from one place to another, without the blanks at its end. */
type Line = { readonly from: number; readonly to: number };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The lines of a text that has no line ends. A word that is wider than a line is broken between its letters. */
export function linesOf(text: string, width: number, widthOf: (part: string) => number): readonly Line[] {
  const lines: Line[] = [];
  let [from, filled] = [0, 0];
  const end = (at: number) => {
    lines.push({ from, to: from + text.slice(from, at).trimEnd().length });
    [from, filled] = [at, 0];
  };
  for (const { start, word } of wordsOf(text)) {
    const shown = widthOf(word.trimEnd());
    if (filled + shown > width && filled > 0) end(start);
    if (shown <= width) {
      filled += widthOf(word);
      continue;
    }
    for (const { index, segment } of graphemes.segment(word)) {
      const letter = widthOf(segment);
      const isBlank = segment.trim() === '';
      if (!isBlank && filled + letter > width && filled > 0) end(start + index);
      filled += letter;
    }
  }
  end(text.length);
  return lines;
}

/** Parts between which a line may end. A word has the blanks behind it. */
function* wordsOf(text: string): Generator<{ readonly start: number; readonly word: string }> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    yield { start, word: text.slice(start, next.position) };
    start = next.position;
  }
}
