import bidiFactory from 'bidi-js';

const bidi = bidiFactory();

export type Direction = 'ltr' | 'rtl';
/** Letters that stand beside one another, in the order in which they are read. */
type VisualRun = { readonly text: string; readonly direction: Direction };

/** Marks of a direction: they order the letters around them, and nothing is drawn for them. */
const MARKS = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** Scripts whose letters join. Two of them are not drawn together, since each joins by rules of its own. */
const JOINING = [/\p{Script=Arabic}/u, /\p{Script=Nko}/u, /\p{Script=Hebrew}/u];
const LETTER = /\p{L}/u;

/** A paragraph whose letters are ordered by Unicode's bidirectional algorithm. */
export class DirectedText {
  private readonly embedding: ReturnType<typeof bidi.getEmbeddingLevels>;

  /** `auto`: the first letter that has a direction decides. */
  constructor(
    readonly text: string,
    private readonly base: Direction | 'auto',
  ) {
    this.embedding = bidi.getEmbeddingLevels(text, base);
  }

  /** The direction in which the paragraph as a whole is read. */
  get direction(): Direction {
    return directionOf(this.embedding.paragraphs[0]?.level ?? (this.base === 'rtl' ? 1 : 0));
  }

  /** The runs of a line that goes from one place of the text to another, the leftmost one first. */
  runs(from: number, to: number): readonly VisualRun[] {
    if (from === to) return [];
    const { levels } = this.embedding;
    const mirrored = bidi.getMirroredCharactersMap(this.text, levels, from, to - 1);
    const order = bidi.getReorderedIndices(this.text, this.embedding, from, to - 1).slice(from, to);
    const written = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => mirrored.get(first + at) ?? this.text.charAt(first + at));
    return spansOf(order, index => directionOf(levels[index] ?? 0)).flatMap(({ first, last, direction }) => {
      const parts = partsByScript(written(first, last).join('').replaceAll(MARKS, ''));
      const inOrder = direction === 'ltr' ? parts : parts.reverse();
      return inOrder.map(text => ({ text, direction }));
    });
  }
}

type Span = { first: number; last: number; readonly direction: Direction };

/** Neighbours on the line that are neighbours in the text as well. */
function spansOf(order: readonly number[], directionAt: (index: number) => Direction): readonly Span[] {
  const spans: Span[] = [];
  for (const index of order) {
    const direction = directionAt(index);
    const span = spans.at(-1);
    if (span?.direction === direction && direction === 'ltr' && index === span.last + 1) span.last = index;
    else if (span?.direction === direction && direction === 'rtl' && index === span.first - 1) span.first = index;
    else spans.push({ first: index, last: index, direction });
  }
  return spans;
}

/** Characters of no script, such as blanks, stay with those before them. */
function partsByScript(text: string): string[] {
  const parts: string[] = [];
  let before: number | null = null;
  for (const character of text) {
    const script: number | null = LETTER.test(character) ? JOINING.findIndex(each => each.test(character)) : before;
    const isNew = parts.length === 0 || (before !== null && script !== before);
    if (isNew) parts.push(character);
    else parts[parts.length - 1] += character;
    before = script;
  }
  return parts;
}

function directionOf(level: number): Direction {
  return level % 2 === 0 ? 'ltr' : 'rtl';
}
