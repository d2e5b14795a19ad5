import { readFileSync } from 'node:fs';
import path from 'node:path';

const GUIDES = path.resolve(__dirname, '..', '..', 'docs', 'guides');
const BLOCK = /^```(\w+)([^\n]*)\n([^]*?)^```$/gm;

/** A block of code. Words after its language say what it is: `file=receiver.py`, `terminal=service`, `untested`. */
export type Block = {
  readonly language: string;
  readonly words: readonly string[];
  readonly code: string;
  /** The text between the block before, or the heading, and this one. */
  readonly before: string;
};

export function guide(name: string): string {
  return readFileSync(path.join(GUIDES, name), 'utf8');
}

export function blocksOf(page: string): readonly Block[] {
  let end = 0;
  return [...page.matchAll(BLOCK)].map(({ 0: whole, 1: language = '', 2: info = '', 3: code = '', index }) => {
    const before = page.slice(end, index).split(/^#.*$/m).at(-1) ?? '';
    end = index + whole.length;
    return { language, words: info.split(' ').filter(Boolean), code, before };
  });
}

/** The file that the block is, for a program of its own; null for a piece of one. */
export function fileOf({ words }: Block): string | null {
  return words.find(word => word.startsWith('file='))?.slice('file='.length) ?? null;
}
