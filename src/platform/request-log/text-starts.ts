const ESCAPE_LENGTH = '%41'.length;
const UNICODE_ESCAPE_LENGTH = 6;
const SHORT_ESCAPE_LENGTH = 2;
/** A UTF-8 character has at most four bytes, so a cut leaves at most three of them. */
const MAX_OPEN_ESCAPES = 3;

/** The decoded beginning of a path, without the character at the cut; null for a path that cannot be decoded. */
export function decodedStart(path: string, length: number): string | null {
  const percent = path.lastIndexOf('%', length - 1);
  const isEscapeOpen = path.length > length && percent > length - ESCAPE_LENGTH;
  let end = isEscapeOpen ? percent : length;
  for (let open = 0; open <= MAX_OPEN_ESCAPES; open++, end -= ESCAPE_LENGTH) {
    const decoded = decode(path.slice(0, end));
    if (decoded !== null || path.length <= length) return decoded;
  }
  return null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * The beginning of a JSON text, as JSON of its own. A text at the cut ends there, a name or a number at the cut is left
 * out, and open brackets are closed. The beginning of other texts is no JSON either.
 */
export function jsonStart(json: string, length: number): string {
  if (json.length <= length) return json;
  const closers: string[] = [];
  let wholeEnd = 0;
  let isMember = false;
  for (let at = 0; at < length;) {
    const character = json.charAt(at);
    if (character === '"') {
      const text = scanText(json, at, length);
      const isValue = isMember || closers.length === 0 || closers.at(-1) === ']';
      if (!text.isEnded) return closed(isValue ? `${json.slice(0, text.end)}"` : json.slice(0, wholeEnd), closers);
      at = text.end;
      continue;
    }
    at += 1;
    if (character === ':') isMember = true;
    if (!'[{,]}'.includes(character)) continue;
    if (character === '[') closers.push(']');
    if (character === '{') closers.push('}');
    if (character === ']' || character === '}') closers.pop();
    wholeEnd = character === ',' ? at - 1 : at;
    isMember = false;
  }
  return closed(json.slice(0, wholeEnd), closers);
}

function closed(start: string, closers: readonly string[]): string {
  return start + closers.toReversed().join('');
}

/** The end of the text that begins at `start`, or of its last whole character before `length`. */
function scanText(json: string, start: number, length: number): { readonly isEnded: boolean; readonly end: number } {
  let at = start + 1;
  while (at < length) {
    const character = json.charAt(at);
    if (character === '"') return { isEnded: true, end: at + 1 };
    const size = character !== '\\' ? 1 : json.charAt(at + 1) === 'u' ? UNICODE_ESCAPE_LENGTH : SHORT_ESCAPE_LENGTH;
    if (at + size > length) break;
    at += size;
  }
  return { isEnded: false, end: at };
}
