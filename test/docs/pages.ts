import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const FENCED = /^```[^]*?^```$/gm;
const COMMENT = /<!--[^]*?-->/g;
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const CODE = /`[^`]+`/g;
const PROJECT_PATH = /(?<=^|[\s`])(?:src|projections|test|docs|bench|clients)\/[^\s`'",;:]+/g;
const SCRIPT = /npm run ([a-z]+(?::[a-z0-9]+)*)/g;
const SENTENCE_END = /[.!?](?=\s|$)/;
const BLOCK_START = /^\s*(?:[-*]|\d+\.)\s/;
const SPOKEN = /[\p{L}\p{N}]/u;

/** Every page of the project that a newcomer reads, relative to `root`. */
export function pagesOf(root: string): readonly string[] {
  const below = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = below.filter(name => name.endsWith('.md')).map(name => path.posix.join('docs', name));
  return ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pages.sort()];
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

/** Sentences of running text, of lists and of tables' cells; code is one word, and a link is its text. */
export function sentences(text: string): readonly string[] {
  const plain = text.replace(FENCED, '').replace(COMMENT, '').replace(CODE, 'code').replace(LINK, '$1');
  return blocks(plain.replaceAll('**', ''))
    .flatMap(block => block.split(SENTENCE_END))
    .map(sentence => sentence.trim())
    .filter(Boolean);
}

function blocks(text: string): readonly string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('|')) found.push(...line.split('|'));
    else if (isOpen && line.trim() !== '' && !BLOCK_START.test(line)) found.push(`${found.pop()} ${line.trim()}`);
    else if (line.trim() !== '' && !line.startsWith('#')) found.push(line.replace(BLOCK_START, ''));
    isOpen = line.trim() !== '' && !line.startsWith('|') && !line.startsWith('#');
  }
  return found;
}

export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter(word => SPOKEN.test(word)).length;
}
