import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FENCED = /^```[^]*?^```$/gm;
const COMMENT = /<!--[^]*?-->/g;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const CODE = /`[^`]+`/g;
const PROJECT_PATH = /(?<=^|[\s`])(?:src|projections|test|docs|bench|clients)\/[^\s`'",;:]+/g;
const SCRIPT = /npm run ([a-z]+(?::[a-z0-9]+)*)/g;
const BLOCK_START = /^\s*(?:[-*]|\d+\.)\s/;
const ROW_START = '|';

/** Every page of the project that a newcomer reads, relative to `root`. */
export function pagesOf(root: string): readonly string[] {
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownBelow(root, 'docs')];
}

/** Every page of the project, with those that stand beside the code they tell of. */
export function everyPageOf(root: string): readonly string[] {
  const beside = ['clients', 'test'].flatMap(folder => markdownBelow(root, folder));
  return [...pagesOf(root), ...beside];
}

function markdownBelow(root: string, folder: string): readonly string[] {
  const below = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const pages = below.filter(name => name.endsWith('.md') && !name.split(path.sep).includes('node_modules'));
  return pages.map(name => path.posix.join(folder, name)).sort();
}

/** Targets of links that lead to a file or to a heading of the project. */
export function relativeLinks(text: string): readonly string[] {
  const targets = [...text.replace(FENCED, '').matchAll(LINK)].map(([, , target]) => target as string);
  return targets.filter(target => !/^[a-z]+:/.test(target));
}

/**
 * Paths of the project that are named in code: between backticks, or in a block of commands. A change may make files.
 */
export function namedPaths(text: string): readonly string[] {
  const blocks = (text.match(FENCED) ?? []).filter(block => !block.startsWith('```diff'));
  const code = [...blocks, ...(text.replace(FENCED, '').match(CODE) ?? [])];
  return code.flatMap(part => part.match(PROJECT_PATH) ?? []);
}

/** Scripts of the package that are named anywhere. */
export function namedScripts(text: string): readonly string[] {
  return [...text.matchAll(SCRIPT)].map(([, script]) => script as string);
}

/**
 * Whether a file or folder of the path stands below `root`. `<name>` is any part of a name that is not empty, and `*`
 * any part at all.
 */
export function stands(root: string, named: string): boolean {
  let places = [root];
  for (const segment of named.split('/').filter(Boolean)) {
    places = places.flatMap(place => matching(place, segment).map(name => path.join(place, name)));
  }
  return places.length > 0;
}

function matching(folder: string, segment: string): readonly string[] {
  if (!/[<*]/.test(segment)) return existsSync(path.join(folder, segment)) ? [segment] : [];
  const whole = new RegExp(
    `^${segment
      .split(/(<[^>]+>|\*)/)
      .map(patternOf)
      .join('')}$`,
  );
  return existsSync(folder) ? readdirSync(folder).filter(name => whole.test(name)) : [];
}

function patternOf(part: string): string {
  if (part === '*') return '.*';
  return part.startsWith('<') ? '.+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** The fragment of a link to a heading. */
export function fragments(text: string): readonly string[] {
  const headings = text.replace(FENCED, '').match(/^#+ .*$/gm) ?? [];
  return headings.map(heading =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** A paragraph, an item of a list, or a cell of a table, on one line. Code is one word, and a link is its text. */
export type Prose = { readonly text: string; readonly isCell: boolean };

/** The text of a page that consists of sentences: no blocks of code, comments or headings. */
export function proseOf(page: string): readonly Prose[] {
  const plain = page.replace(FENCED, '').replace(COMMENT, '').replace(CODE, 'code').replace(LINK, '$1');
  return blocks(plain.replaceAll('**', '')).filter(({ text }) => text !== '');
}

function blocks(page: string): readonly Prose[] {
  const found: Prose[] = [];
  let isOpen = false;
  for (const line of page.split('\n')) {
    const text = line.replace(BLOCK_START, '').trim();
    const isRow = line.startsWith(ROW_START);
    if (isRow) found.push(...line.split(ROW_START).map(cell => ({ text: cell.trim(), isCell: true })));
    else if (isOpen && text !== '' && !BLOCK_START.test(line)) {
      found.push({ text: `${found.pop()?.text} ${text}`, isCell: false });
    } else if (!line.startsWith('#')) found.push({ text, isCell: false });
    isOpen = text !== '' && !isRow && !line.startsWith('#');
  }
  return found;
}
