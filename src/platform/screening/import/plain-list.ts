import { ImportFault } from './import-fault';
import type { ListedText, ParsedList } from './parsed-list';

const MAX_ADDRESSES = 100_000;
const MAX_SHOWN = 80;

/** An address a line; empty lines and those that begin with # are skipped. Throws ImportFault naming the line. */
export function parseTextList(text: string): ParsedList {
  const addresses: ListedText[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line !== '' && !line.startsWith('#')) add(addresses, line, index + 1, `line ${index + 1}`);
  }
  return { addresses, publishedOn: null };
}

/** A JSON array of addresses; their places are counted from 1. Throws ImportFault. */
export function parseJsonList(text: string): ParsedList {
  const addresses: ListedText[] = [];
  for (const [index, item] of arrayOf(text).entries()) {
    if (typeof item !== 'string') throw new ImportFault(index + 1, 'the entry is not a text');
    add(addresses, item.trim(), index + 1, `entry ${index + 1}`);
  }
  return { addresses, publishedOn: null };
}

function add(addresses: ListedText[], text: string, line: number, reference: string): void {
  if (addresses.length >= MAX_ADDRESSES) throw new ImportFault(line, `there are more than ${MAX_ADDRESSES} addresses`);
  addresses.push({ text: text.slice(0, MAX_SHOWN), line, reference, mustBeOurs: true });
}

function arrayOf(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ImportFault(1, `not JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) throw new ImportFault(1, 'not a JSON array of addresses');
  return value;
}
