import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** One rule of the language that a text breaks, the line where it does, and the rule's message. */
export type Breach = { readonly rule: string; readonly line: number; readonly message: string };

/** The breaches of each source text, in the texts' order. */
export function languageBreaches(texts: readonly string[]): readonly (readonly Breach[])[] {
  const answer = execFileSync(process.execPath, [join(__dirname, 'language-cases.mjs')], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(answer) as readonly (readonly Breach[])[];
}
