import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isoTime } from '../../../kernel/clock';
import { refuse } from '../../../vocabulary/errors';
import { familyOf, type NetworkFamily } from '../../../vocabulary/networks';
import { addressBytes } from '../address-bytes';
import { checkedEntries, indexEntries, type SanctionsEntry } from '../sanctions-entries';
import { readListDocument, writeListDocument, type ListFacts } from '../sanctions-list-document';
import { listedAddress } from './listed-address';
import { readList } from './read-list';

export type SanctionsImport = {
  /** Together the files are the whole list: an earlier address that they lack is taken off. */
  readonly files: readonly string[];
  /** The list's publisher, such as `ofac-sdn`. Entries of other sources stay. */
  readonly listSource: string;
  /** The list file of the service's screening. */
  readonly target: string;
  /** Imports all right addresses although some are faulty. */
  readonly skipInvalid: boolean;
  readonly nowMs: number;
};

/** A text that is no address, by its file and line. */
type AddressFault = { readonly file: string; readonly line: number; readonly problem: string };

export type ImportReport = {
  readonly publishedOn: string | null;
  /** The number of distinct addresses of each form. */
  readonly evm: number;
  readonly tron: number;
  /** Addresses of other chains, from which no payment here can come. */
  readonly elsewhere: number;
  readonly added: number;
  readonly removed: number;
  readonly faults: readonly AddressFault[];
  /** False where there were faults, so that the file was left unchanged. */
  readonly written: boolean;
};

type Listed = {
  /** Rows by form and bytes, one a network, so that an address under two tags is one. */
  readonly rows: ReadonlyMap<string, readonly SanctionsEntry[]>;
  readonly elsewhere: number;
  readonly faults: readonly AddressFault[];
  readonly publishedOn: string | null;
};

/**
 * Puts published lists into the list file, all or nothing. Throws Refusal invalid_sanctions_entry for a file that is no
 * such list, and names the file and its line. Throws the same for lists without any address of the networks here.
 * Throws it too for a list file that cannot be read, since its other entries could not be kept.
 */
export async function importSanctions(wanted: SanctionsImport): Promise<ImportReport> {
  const { target, listSource, skipInvalid } = wanted;
  const current = await currentDocument(target);
  const listed = await readAll(wanted);
  const written = listed.faults.length === 0 || (skipInvalid && listed.rows.size > 0);
  if (written) await writeMerged(wanted, current, listed);
  const before = new Set(current.entries.filter(entry => entry.list_source === listSource).map(keyOf));
  const now = [...listed.rows.keys()];
  return {
    publishedOn: listed.publishedOn,
    evm: now.filter(key => isOf('evm', key)).length,
    tron: now.filter(key => isOf('tron', key)).length,
    elsewhere: listed.elsewhere,
    added: now.filter(key => !before.has(key)).length,
    removed: [...before].filter(key => !listed.rows.has(key)).length,
    faults: listed.faults,
    written,
  };
}

async function readAll({ files, listSource }: SanctionsImport): Promise<Listed> {
  const rows = new Map<string, readonly SanctionsEntry[]>();
  const faults: AddressFault[] = [];
  let elsewhere = 0;
  let publishedOn: string | null = null;
  for (const file of files) {
    const list = await readList(file);
    publishedOn ??= list.publishedOn;
    for (const { text, line, reference, mustBeOurs } of list.addresses) {
      const address = listedAddress(text);
      const problem = address.kind === 'invalid' ? address.problem : `"${text}" is no address`;
      if (address.kind === 'ours') {
        const entries = address.networks.map(network => ({
          address: text,
          network,
          list_source: listSource,
          reference,
        }));
        const key = keyOf(entries[0] as SanctionsEntry);
        if (!rows.has(key)) rows.set(key, entries);
      } else if (address.kind === 'invalid' || mustBeOurs) faults.push({ file, line, problem });
      else elsewhere++;
    }
  }
  if (rows.size > 0 || faults.length > 0) return { rows, elsewhere, faults, publishedOn };
  const message = `${files.join(', ')}: no address of a network that is served here.`;
  throw refuse('invalid_sanctions_entry', { param: 'file', message });
}

async function writeMerged(wanted: SanctionsImport, current: Current, listed: Listed): Promise<void> {
  const { files, listSource, target, nowMs } = wanted;
  const facts: ListFacts = {
    list_source: listSource,
    imported_at: isoTime(nowMs),
    published_on: listed.publishedOn,
    files: files.map(file => basename(file)),
    addresses: listed.rows.size,
    skipped: listed.faults.length,
  };
  const others = current.entries.filter(entry => entry.list_source !== listSource);
  const entries = [...others, ...[...listed.rows.values()].flat()];
  // The entries are read as the service will read them: an unusable list must never take the place of a usable one.
  indexEntries(entries);
  await writeListDocument(target, [...current.lists.filter(list => list.list_source !== listSource), facts], entries);
}

type Current = { readonly lists: readonly ListFacts[]; readonly entries: readonly SanctionsEntry[] };

/** The present list file; empty where there is none yet. */
async function currentDocument(target: string): Promise<Current> {
  if (!existsSync(target)) return { lists: [], entries: [] };
  try {
    const { lists, entries } = await readListDocument(target);
    return { lists, entries: checkedEntries(entries) };
  } catch (cause) {
    const message = `${target} holds a list that cannot be kept: ${(cause as Error).message}`;
    throw refuse('invalid_sanctions_entry', { param: 'SANCTIONS_LIST_FILE', message, cause });
  }
}

function keyOf({ network, address }: SanctionsEntry): string {
  return `${familyOf(network)} ${addressBytes(network, address)}`;
}

function isOf(family: NetworkFamily, key: string): boolean {
  return key.startsWith(`${family} `);
}
