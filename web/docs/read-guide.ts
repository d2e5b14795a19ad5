import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { Guide, GuideBlock, GuideText } from './screens/guide-blocks';

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  js: 'JavaScript',
  javascript: 'JavaScript',
  py: 'Python',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  json: 'JSON',
  http: 'HTTP',
};
/** Stands behind the language of a block that no test runs. */
const UNTESTED = 'untested';
/** Stands before the name of the file that a block is to be saved as. */
const FILE = 'file=';
/** Characters that no heading's id has. */
const UNNAMED = /[^\p{L}\p{N}\s_-]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

/** A guide from its markdown. Markup inside of it stays text, and comments are left out. */
export function readGuide(markdown: string): Guide {
  const blocks = new GuideReader().blocks(lexer(markdown));
  const title = blocks.filter(block => block.kind === 'heading').find(({ level }) => level === 1);
  return { title: title?.text ?? '', blocks };
}

class GuideReader {
  private readonly ids = new Map<string, number>();
  private tables = 0;

  blocks(tokens: readonly Token[]): readonly GuideBlock[] {
    return tokens.flatMap(token => this.block(token as MarkedToken) ?? []);
  }

  private block(token: MarkedToken): GuideBlock | null {
    switch (token.type) {
      case 'heading': {
        const parts = texts(token.tokens);
        const text = textOf(parts);
        return { kind: 'heading', level: token.depth, id: this.idFor(text), text, parts };
      }
      case 'paragraph':
        return { kind: 'paragraph', parts: texts(token.tokens) };
      case 'text':
        return { kind: 'line', parts: texts(token.tokens ?? [token]) };
      case 'code':
        return codeBlock(token);
      case 'list':
        return { kind: 'list', isOrdered: token.ordered, items: token.items.map(item => this.blocks(item.tokens)) };
      case 'blockquote':
        return { kind: 'quote', blocks: this.blocks(token.tokens) };
      case 'table':
        return this.table(token);
      case 'html':
        return token.text.startsWith('<!--')
          ? null
          : { kind: 'paragraph', parts: [{ kind: 'text', text: token.text }] };
      default:
        return null;
    }
  }

  private table({ header, rows }: Tokens.Table): GuideBlock {
    const headings = header.map(({ tokens }) => textOf(texts(tokens)));
    const cells = rows.map(row => row.map(({ tokens }) => texts(tokens)));
    return { kind: 'table', name: `Table ${++this.tables}: ${headings.join(', ')}`, headings, rows: cells };
  }

  /** The words of the heading, as the common hosts of markdown write them into an address. */
  private idFor(text: string): string {
    const id = text.toLowerCase().replace(UNNAMED, '').trim().replace(/\s/g, '-');
    const count = this.ids.get(id) ?? 0;
    this.ids.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  }
}

function codeBlock({ lang = '', text }: Tokens.Code): GuideBlock {
  const [language = '', ...marks] = lang.split(/\s+/);
  const file = marks.find(mark => mark.startsWith(FILE))?.slice(FILE.length);
  const name = LANGUAGES[language] ?? 'Text';
  const label = file === undefined ? name : `${name}: ${file}`;
  return { kind: 'code', label, isUntested: marks.includes(UNTESTED), text };
}

function texts(tokens: readonly Token[]): readonly GuideText[] {
  return tokens.flatMap(token => textPart(token as MarkedToken) ?? []);
}

function textPart(token: MarkedToken): GuideText | null {
  switch (token.type) {
    case 'strong':
      return { kind: 'strong', parts: texts(token.tokens) };
    case 'em':
      return { kind: 'emphasis', parts: texts(token.tokens) };
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'link':
      return { kind: 'link', href: token.href, parts: texts(token.tokens) };
    case 'br':
      return { kind: 'break' };
    case 'image':
      return { kind: 'text', text: token.text };
    case 'html':
      return token.text.startsWith('<!--') ? null : { kind: 'text', text: token.text };
    case 'text':
    case 'escape':
      return { kind: 'text', text: unescaped(token.text) };
    default:
      return { kind: 'text', text: token.raw };
  }
}

/** Markdown may write a character as an entity, and the page escapes each text by itself. */
function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, entity => ENTITIES[entity] ?? entity);
}

function textOf(parts: readonly GuideText[]): string {
  return parts
    .map(part => {
      if (part.kind === 'break') return ' ';
      return 'text' in part ? part.text : textOf(part.parts);
    })
    .join('');
}
