import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** One step of a recipe: its text in CONTRIBUTING.md, and the changes of its example in docs/recipes.md. */
export type Step = { readonly text: string; readonly edits: readonly Edit[] };
export type Recipe = { readonly name: string; readonly steps: readonly Step[] };

/** A change of one file. `before` is null for a new file; otherwise it stands in the file exactly once. */
export type Edit = { readonly file: string; readonly before: string | null; readonly after: string };

const FENCE = /^```diff\n([^]*?)\n```$/gm;
const STEP = /^\d+\. /m;

/** The recipes of CONTRIBUTING.md, each with the changes of its example. Throws where the two do not match. */
export function recipesOf(contributing: string, examples: string): readonly Recipe[] {
  const told = sections(contributing, '## How to add ');
  const shown = sections(examples, '## ');
  const names = told.map(({ name }) => name);
  if (names.join() !== shown.map(({ name }) => name.toLowerCase()).join())
    throw new Error(`the examples of docs/recipes.md are not those of ${names.join(', ')}`);
  return told.map(({ name, body }, index) => {
    const texts = stepsOf(body);
    const carriedOut = stepsOf(shown[index]?.body ?? '');
    if (texts.length !== carriedOut.length)
      throw new Error(`${name} has ${texts.length} steps, and its example carries out ${carriedOut.length}`);
    return { name, steps: texts.map((text, step) => ({ text, edits: editsOf(carriedOut[step] ?? '') })) };
  });
}

/** The lines of the first shell block under a heading, each without its comment. */
export function commandsOf(page: string, heading: string): readonly string[] {
  const block = /^```sh\n([^]*?)\n```$/m.exec(page.split(`\n## ${heading}\n`)[1] ?? '')?.[1];
  if (block === undefined) throw new Error(`${heading} shows no command`);
  return block.split('\n').map(line => (line.split(' #')[0] ?? '').trim());
}

function sections(page: string, heading: string): readonly { readonly name: string; readonly body: string }[] {
  return page
    .split(`\n${heading}`)
    .slice(1)
    .map(section => {
      const [name = '', ...rest] = section.split('\n');
      return { name, body: (rest.join('\n').split(/^## /m)[0] ?? '').trim() };
    });
}

function stepsOf(body: string): readonly string[] {
  return body
    .split(STEP)
    .slice(1)
    .map(step => step.trim());
}

function editsOf(step: string): readonly Edit[] {
  return [...step.matchAll(FENCE)].flatMap(([, block = '']) =>
    block
      .split(/^(?=(?:---|\+\+\+) )/m)
      .filter(Boolean)
      .flatMap(editsOfFile),
  );
}

function editsOfFile(block: string): readonly Edit[] {
  const [head = '', ...lines] = block.trimEnd().split('\n');
  const [kind, file] = head.split(' ');
  if (file === undefined || (kind !== '---' && kind !== '+++')) throw new Error(`not a file's head: ${head}`);
  const text = (from: readonly string[], marks: string): string =>
    from
      .filter(line => line === '' || marks.includes(line.charAt(0)))
      .map(line => `${line.slice(1)}\n`)
      .join('');
  if (kind === '+++') return [{ file, before: null, after: text(lines, '+') }];
  const hunks = lines.join('\n').split(/^@@\n/m);
  return hunks.map(hunk => {
    const own = hunk.replace(/\n$/, '').split('\n');
    return { file, before: text(own, ' -'), after: text(own, ' +') };
  });
}

/** Throws where the text to change does not stand in its file exactly once, or a new file stands already. */
export function carryOut(root: string, { file, before, after }: Edit): void {
  const target = path.join(root, file);
  if (before === null) {
    mkdirSync(path.dirname(target), { recursive: true });
    return writeFileSync(target, after, { flag: 'wx' });
  }
  const parts = `\n${readFileSync(target, 'utf8')}`.split(`\n${before}`);
  if (parts.length !== 2) throw new Error(`${file} holds ${parts.length - 1} times, not once:\n${before}`);
  writeFileSync(target, parts.join(`\n${after}`).slice(1));
}

/** Whether the step names the file, or a folder that holds it. `<name>` is any part of a name. */
export function names(step: string, file: string): boolean {
  const named = [...step.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.split('/'));
  const segments = file.split('/');
  return named.some(pattern => pattern.every((part, index) => isMatch(part, segments[index] ?? '')));
}

function isMatch(part: string, segment: string): boolean {
  const [first = '', ...rest] = part.split(/<[^>]+>/);
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  for (const text of rest) {
    const next = text === '' ? segment.length : segment.indexOf(text, at + 1);
    if (next <= at) return false;
    at = next + text.length;
  }
  return at === segment.length;
}
