import { SaxesParser } from 'saxes';
import { ImportFault } from './import-fault';

/** Names have no namespace prefix. */
type XmlHandler = {
  readonly open: (name: string, attributes: ReadonlyMap<string, string>) => void;
  readonly text: (text: string) => void;
  readonly close: (name: string) => void;
};

/** The greatest length of one tag, comment or run of text; a longer part stops the reading. */
const MAX_PART_LENGTH = 64 * 1_024;
const MAX_DEPTH = 64;
/** Line and column, with which the parser begins each message. */
const PLACE = /^\d+:\d+: /;

/**
 * Reads an XML document of any size piece by piece: elements, attributes, text and CDATA. Comments and processing
 * instructions are skipped. A document type is refused, and with it every entity but the predefined ones. Throws
 * ImportFault naming the line.
 */
export class XmlReader {
  private readonly parser = new SaxesParser({ xmlns: false });
  private depth = 0;
  /** Characters written, and characters up to the end of the last whole part. */
  private written = 0;
  private partFrom = 0;
  /** Null before the end, at which the parser forgets its place. */
  private lastLine: number | null = null;

  constructor(private readonly handler: XmlHandler) {
    const { parser } = this;
    parser.on('error', ({ message }) => {
      throw this.fault(message.replace(PLACE, '').replace(/\.$/, ''));
    });
    parser.on('doctype', () => {
      throw this.fault('a document type is refused');
    });
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
        throw this.fault(`the encoding ${encoding} is not UTF-8`);
    });
    parser.on('opentag', ({ name, attributes }) => this.open(name, attributes));
    parser.on('closetag', ({ name }) => this.close(name));
    for (const kind of ['text', 'cdata'] as const) parser.on(kind, text => this.read(text));
    for (const kind of ['comment', 'processinginstruction'] as const) parser.on(kind, () => this.endPart());
  }

  get line(): number {
    return this.lastLine ?? this.parser.line;
  }

  write(chunk: string): void {
    this.parser.write(chunk);
    this.written += chunk.length;
    if (this.written - this.partFrom > MAX_PART_LENGTH) throw this.fault(`a part is longer than ${MAX_PART_LENGTH}`);
  }

  end(): void {
    this.lastLine = this.parser.line;
    try {
      this.parser.close();
    } catch (cause) {
      if (!(cause instanceof ImportFault)) throw cause;
      throw this.fault(`the file ends before its last element does: ${cause.problem}`);
    }
  }

  fault(problem: string): ImportFault {
    return new ImportFault(this.line, problem);
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.endPart();
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw this.fault(`elements are nested deeper than ${MAX_DEPTH}`);
    const named = new Map<string, string>();
    for (const [attribute, value] of Object.entries(attributes)) {
      if (named.has(localName(attribute))) throw this.fault(`${name} has the attribute ${attribute} twice`);
      named.set(localName(attribute), value);
    }
    this.handler.open(localName(name), named);
  }

  private close(name: string): void {
    this.endPart();
    this.depth -= 1;
    this.handler.close(localName(name));
  }

  /** Blanks outside of the root are passed on as well. */
  private read(text: string): void {
    this.endPart();
    if (this.depth > 0) this.handler.text(text);
  }

  /** The parser knows its place only within a write. */
  private endPart(): void {
    this.partFrom = this.parser.position;
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
