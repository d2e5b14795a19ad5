import { ImportFault } from './import-fault';
import { unescapeXml } from './xml-text';

/** Names come without their namespace's prefix. */
export type XmlHandler = {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

/** Of one tag, comment or run of text. */
const MAX_PART_LENGTH = 64 * 1_024;
const MAX_DEPTH = 64;

const TAG = /<[^<>"']*(?:"[^"<]*"[^<>"']*|'[^'<]*'[^<>"']*)*>/y;
/** A name, which may have a prefix, and its attributes. */
const OPENING =
  /^<([^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?)((?:\s+[^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>$/;
const CLOSING = /^<\/([^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?)\s*>$/;
const ATTRIBUTE = /\s+([^\W\d][\w.-]*(?::[^\W\d][\w.-]*)?)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;
const BLANK = /^\s*$/;
const DECLARED_ENCODING = /^<\?xml\s.*?encoding\s*=\s*["']([^"']*)["']/s;

/**
 * Reads an XML document piece by piece, however large: elements, attributes, text and CDATA. Comments and processing
 * instructions are passed over. A document type is refused, and with it every entity but the predefined ones. Throws
 * ImportFault naming the line.
 */
export class XmlReader {
  line = 1;
  private buffer = '';
  private at = 0;
  private isBegun = false;
  private isRootClosed = false;
  private readonly open: string[] = [];

  constructor(private readonly handler: XmlHandler) {}

  write(chunk: string): void {
    this.buffer = this.buffer.slice(this.at) + (this.isBegun ? chunk : chunk.replace(/^\uFEFF/, ''));
    this.at = 0;
    this.isBegun ||= chunk !== '';
    while (this.step());
    if (this.buffer.length - this.at > MAX_PART_LENGTH) throw this.fault(`a part is longer than ${MAX_PART_LENGTH}`);
  }

  end(): void {
    if (!BLANK.test(this.buffer.slice(this.at)) || this.open.length > 0 || !this.isRootClosed) {
      throw this.fault(
        `the file ends before its last element does${this.open.length > 0 ? `: ${this.open.at(-1)}` : ''}`,
      );
    }
  }

  fault(problem: string): ImportFault {
    return new ImportFault(this.line, problem);
  }

  /** False when the next part is not whole yet. */
  private step(): boolean {
    const markup = this.buffer.indexOf('<', this.at);
    if (markup < 0) return false;
    if (markup > this.at) this.readText(this.take(markup - this.at));
    if (this.startsWith('<!--')) return this.takeThrough('-->') !== null;
    if (this.startsWith('<![CDATA[')) return this.readCharacterData();
    if (this.startsWith('<?')) return this.readInstruction();
    if (this.startsWith('<!')) {
      // Enough must have come to tell a comment and CDATA from what is refused.
      if (this.buffer.length - this.at < '<![CDATA['.length) return false;
      throw this.fault('a document type or another declaration is refused');
    }
    return this.readTag();
  }

  private readTag(): boolean {
    TAG.lastIndex = this.at;
    const tag = TAG.exec(this.buffer)?.[0];
    if (tag === undefined) {
      if (this.buffer.includes('<', this.at + 1)) throw this.fault('a tag does not end');
      return false;
    }
    const closing = CLOSING.exec(tag)?.[1];
    const [, name, attributes = '', isEmpty] = OPENING.exec(tag) ?? [];
    if (closing !== undefined) this.close(closing);
    else if (name !== undefined) {
      this.enter(name, attributes);
      if (isEmpty) this.close(name);
    } else throw this.fault(`"${tag.slice(0, 40)}" is no tag`);
    this.take(tag.length);
    return true;
  }

  private enter(name: string, attributesText: string): void {
    if (this.open.length === 0 && this.isRootClosed) throw this.fault(`${name} stands after the end`);
    if (this.open.length >= MAX_DEPTH) throw this.fault(`elements are nested deeper than ${MAX_DEPTH}`);
    const attributes = new Map<string, string>();
    for (const [, attribute = '', double, single] of attributesText.matchAll(ATTRIBUTE)) {
      if (attributes.has(localName(attribute))) throw this.fault(`${name} has the attribute ${attribute} twice`);
      attributes.set(localName(attribute), this.unescaped(double ?? single ?? ''));
    }
    this.open.push(name);
    this.handler.open(localName(name), attributes);
  }

  private close(name: string): void {
    const opened = this.open.pop();
    if (opened !== name) throw this.fault(`${name} is closed where ${opened ?? 'nothing'} is open`);
    this.isRootClosed = this.open.length === 0;
    this.handler.close(localName(name));
  }

  private readText(text: string): void {
    if (this.open.length > 0) this.handler.text(this.unescaped(text));
    else if (!BLANK.test(text)) throw this.fault('text stands outside of every element');
  }

  private readCharacterData(): boolean {
    const whole = this.takeThrough(']]>');
    if (whole === null) return false;
    if (this.open.length === 0) throw this.fault('text stands outside of every element');
    this.handler.text(whole.slice('<![CDATA['.length, -']]>'.length));
    return true;
  }

  private readInstruction(): boolean {
    const whole = this.takeThrough('?>');
    const encoding = DECLARED_ENCODING.exec(whole ?? '')?.[1];
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      throw this.fault(`the encoding ${encoding} is not UTF-8`);
    return whole !== null;
  }

  private unescaped(text: string): string {
    const resolved = unescapeXml(text);
    if (resolved === null) throw this.fault('an entity is not one of the predefined ones');
    return resolved;
  }

  private startsWith(text: string): boolean {
    return this.buffer.startsWith(text, this.at);
  }

  private takeThrough(end: string): string | null {
    const index = this.buffer.indexOf(end, this.at);
    return index < 0 ? null : this.take(index + end.length - this.at);
  }

  private take(length: number): string {
    const taken = this.buffer.slice(this.at, this.at + length);
    for (let index = taken.indexOf('\n'); index >= 0; index = taken.indexOf('\n', index + 1)) this.line++;
    this.at += length;
    return taken;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
