import { setImmediate as nextTurn } from 'node:timers/promises';

/** Elements that are parsed at once: enough to use the engine's own parser well, few enough for memory. */
const BATCH_BYTES = 64 * 1_024;
/** Other work has its turn after so much text, whose elements take some milliseconds where each one is looked at. */
const TURN_BYTES = 64 * 1_024;
/**
 * The limit for one element, or for all text outside of the lists: twice the largest log for which a block's gas can
 * pay.
 */
export const MOST_PIECE_BYTES = 64 * 1_024 * 1_024;
const MOST_DEPTH = 64;
/** Longer keys are cut: no list is read under one. */
const MOST_KEY_BYTES = 64;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * A list within an answer whose elements are handed out as they come, and which is empty in the parsed answer. Steps
 * of a path are keys, and `[]` for any element: `result.[].logs`; the path of the answer itself is empty. Elements of
 * a list within an element come before that element.
 */
export type ListReader = { readonly path: string; readonly take: (elements: readonly unknown[]) => void };

/** `hasLists`: elements hold lists to be read, so that each is parsed alone and not in a batch. */
type ListKind = { readonly take: ListReader['take']; readonly hasLists: boolean };
type Frame = {
  readonly path: string;
  readonly kind: ListKind | null;
  readonly isList: boolean;
  key: string;
  isKeyNext: boolean;
};

/** The bytes of one piece are more than the limit. */
export class PieceTooLarge extends Error {
  constructor() {
    super(`more than ${MOST_PIECE_BYTES} bytes that belong together`);
    this.name = 'PieceTooLarge';
  }
}

/** Parses a JSON text of any length; one element or batch is kept at a time. Throws SyntaxError and PieceTooLarge. */
export async function parseLists(chunks: AsyncIterable<Uint8Array>, readers: readonly ListReader[]): Promise<unknown> {
  const splitter = new ListSplitter(readers);
  let sinceTurn = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let start = 0; start < bytes.length; start += TURN_BYTES) {
      const part = bytes.subarray(start, start + TURN_BYTES);
      splitter.feed(part);
      sinceTurn += part.length;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await nextTurn();
    }
  }
  return splitter.end();
}

class ListSplitter {
  private readonly kinds: ReadonlyMap<string, ListKind>;
  private readonly frames: Frame[] = [];
  /** Text that is not parsed yet: of the answer, and of each list under way. */
  private readonly texts: [PieceText, ...PieceText[]] = [new PieceText()];
  /** The depth below an element of a list that is read in batches. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(readers: readonly ListReader[]) {
    const isWithin = (path: string) => (other: ListReader) => other.path.startsWith(path === '' ? '[]' : `${path}.[]`);
    this.kinds = new Map(readers.map(({ path, take }) => [path, { take, hasLists: readers.some(isWithin(path)) }]));
  }

  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const kind = this.frames.at(-1)?.kind;
      at = kind && !kind.hasLists ? this.batches(bytes, at, kind) : this.structure(bytes, at);
    }
  }

  end(): unknown {
    if (this.frames.length > 0 || this.isInString) throw new SyntaxError('the text ends too early');
    return JSON.parse(this.texts[0].take());
  }

  /** Reads over a list's elements, of which only the ends are looked for, and past the list's own end. */
  private batches(bytes: Buffer, from: number, kind: ListKind): number {
    const text = this.texts.at(-1) as PieceText;
    let { depth } = this;
    let start = from;
    let at = from;
    for (; at < bytes.length; at++) {
      if (this.isInString) {
        at = this.stringEnd(bytes, at);
        continue;
      }
      const byte = bytes[at] as number;
      if (byte === QUOTE) this.isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
      else if (byte === CLOSE_LIST && depth === 0) break;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
      else if (byte === COMMA && depth === 0 && text.length + at - start >= BATCH_BYTES) {
        text.add(bytes, start, at);
        handOut(text, kind);
        start = at + 1;
      }
    }
    this.depth = depth;
    if (at < bytes.length) return this.endList(bytes, start, at);
    text.add(bytes, start, at);
    return at;
  }

  /** Reads over all other text, up to the start of a list that is read in batches, or to the end of one. */
  private structure(bytes: Buffer, from: number): number {
    let start = from;
    let frame = this.frames.at(-1);
    for (let at = from; at < bytes.length; at++) {
      if (this.isInString) {
        const end = this.stringEnd(bytes, at);
        if (frame?.isKeyNext) extendKey(frame, bytes, at, end);
        at = end;
        continue;
      }
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.isInString = true;
        if (frame?.isKeyNext) frame.key = '';
      } else if (byte === COLON && frame) frame.isKeyNext = false;
      else if (byte === COMMA && frame) {
        frame.isKeyNext = !frame.isList;
        if (frame.kind) start = this.endElement(bytes, start, at, frame.kind) + 1;
      } else if (byte === CLOSE_LIST && frame?.kind) return this.endList(bytes, start, at);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) frame = this.close(byte === CLOSE_LIST);
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        frame = this.open(frame, byte === OPEN_LIST);
        if (frame.kind) return this.beginList(bytes, start, at);
      }
    }
    (this.texts.at(-1) as PieceText).add(bytes, start, bytes.length);
    return bytes.length;
  }

  /** The position of the quote that ends the string, or the end of the bytes. */
  private stringEnd(bytes: Buffer, from: number): number {
    let at = this.isEscaped ? from + 1 : from;
    this.isEscaped = false;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.isInString = false;
        return at;
      }
      if (byte !== BACKSLASH) continue;
      at += 1;
      this.isEscaped = at === bytes.length;
    }
    return bytes.length;
  }

  private open(parent: Frame | undefined, isList: boolean): Frame {
    if (this.frames.length === MOST_DEPTH) throw new SyntaxError('too deep');
    // A dot within a key is no step.
    const step = parent?.isList ? '[]' : (parent?.key.replaceAll('.', ' ') ?? '');
    const path = parent?.path ? `${parent.path}.${step}` : step;
    const kind = isList ? (this.kinds.get(path) ?? null) : null;
    const frame = { path, kind, isList, key: '', isKeyNext: !isList };
    this.frames.push(frame);
    return frame;
  }

  /** The frame around the one that ends. */
  private close(isList: boolean): Frame | undefined {
    if (this.frames.pop()?.isList !== isList) throw new SyntaxError('brackets do not match');
    return this.frames.at(-1);
  }

  private beginList(bytes: Buffer, start: number, bracket: number): number {
    (this.texts.at(-1) as PieceText).add(bytes, start, bracket + 1);
    this.texts.push(new PieceText());
    this.depth = 0;
    return bracket + 1;
  }

  private endList(bytes: Buffer, start: number, bracket: number): number {
    const { kind } = this.frames.at(-1) as Frame;
    this.endElement(bytes, start, bracket, kind as ListKind);
    this.texts.pop();
    this.close(true);
    (this.texts.at(-1) as PieceText).add(bytes, bracket, bracket + 1);
    return bracket + 1;
  }

  private endElement(bytes: Buffer, start: number, end: number, kind: ListKind): number {
    const text = this.texts.at(-1) as PieceText;
    text.add(bytes, start, end);
    handOut(text, kind);
    return end;
  }
}

/** Bytes that are parsed together. */
class PieceText {
  length = 0;
  private parts: Buffer[] = [];

  add(bytes: Buffer, start: number, end: number): void {
    this.length += end - start;
    if (this.length > MOST_PIECE_BYTES) throw new PieceTooLarge();
    if (end > start) this.parts.push(bytes.subarray(start, end));
  }

  take(): string {
    const [first] = this.parts;
    const text = (first && this.parts.length === 1 ? first : Buffer.concat(this.parts)).toString('utf8');
    this.parts = [];
    this.length = 0;
    return text;
  }
}

function handOut(text: PieceText, { take }: ListKind): void {
  const elements = JSON.parse(`[${text.take()}]`) as unknown[];
  if (elements.length > 0) take(elements);
}

function extendKey(frame: Frame, bytes: Buffer, from: number, to: number): void {
  const room = MOST_KEY_BYTES - frame.key.length;
  frame.key += bytes.toString('latin1', from, Math.min(to, from + room));
}
