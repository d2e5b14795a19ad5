import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { refuse } from '../../vocabulary/errors';
import type { SanctionsEntry } from './sanctions-entries';

const MAX_FILE_BYTES = 64 * 1_024 * 1_024;
const MAX_LISTS = 100;

/** The origin of the entries of one `list_source`. `published_on` is the list's own date, null where it has none. */
const LIST = z.strictObject({
  list_source: z.string(),
  imported_at: z.string(),
  published_on: z.string().nullable(),
  files: z.array(z.string()),
  addresses: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
});
export type ListFacts = z.infer<typeof LIST>;

/** `entries` are checked by `indexEntries`, which names the row at fault. */
const DOCUMENT = z.strictObject({ lists: z.array(LIST).max(MAX_LISTS), entries: z.unknown() });

type ListDocument = { readonly lists: readonly ListFacts[]; readonly entries: unknown };

/**
 * A file as `writeListDocument` leaves it, or a plain array of entries. Throws Error for a file that cannot be read,
 * Refusal invalid_sanctions_entry for another shape.
 */
export async function readListDocument(path: string): Promise<ListDocument> {
  const document: unknown = JSON.parse(await readBounded(path));
  if (Array.isArray(document)) return { lists: [], entries: document };
  const parsed = DOCUMENT.safeParse(document);
  if (parsed.success) return parsed.data;
  throw refuse('invalid_sanctions_entry', { message: z.prettifyError(parsed.error) });
}

/** Readers of the path find the old list or the whole new one, also after a power failure. */
export async function writeListDocument(
  path: string,
  lists: readonly ListFacts[],
  entries: readonly SanctionsEntry[],
): Promise<void> {
  // One line for each entry, so that two versions can be compared by eye.
  const rows = entries.map(entry => `    ${JSON.stringify(entry)}`).join(',\n');
  const facts = lists.map(list => `    ${JSON.stringify(list)}`).join(',\n');
  const text = `{\n  "lists": [\n${facts}\n  ],\n  "entries": [\n${rows}\n  ]\n}\n`;
  const aside = `${path}.${process.pid}.new`;
  try {
    await writeDurably(aside, text);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The length is that of the opened file, so the measured file is the one that is read. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw new RangeError(`it has more than ${MAX_FILE_BYTES} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
