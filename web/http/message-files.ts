import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { MessageKey, Messages } from '../words/language';

/** The messages of a folder, by the code of their language. Folders in this one are passed over. */
export function messagesIn<Key extends string = MessageKey>(folder: string): Readonly<Record<string, Messages<Key>>> {
  return Object.fromEntries(textsIn(folder, '.json').map(([name, text]) => [name, JSON.parse(text) as Messages<Key>]));
}

/** The files of a folder with this ending, by their names without it. */
export function textsIn(folder: string, ending: string): readonly (readonly [name: string, text: string])[] {
  const files = readdirSync(folder).filter(file => file.endsWith(ending));
  return files.map(file => [path.basename(file, ending), readFileSync(path.join(folder, file), 'utf8')]);
}
