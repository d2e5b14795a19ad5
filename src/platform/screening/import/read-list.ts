import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { refuse } from '../../../vocabulary/errors';
import { ImportFault } from './import-fault';
import type { ParsedList } from './parsed-list';
import { parseJsonList, parseTextList } from './plain-list';
import { SdnAdvancedReader } from './sdn-advanced';

/** OFAC's file has some 120 MB. */
const MAX_XML_BYTES = 1_024 * 1_024 * 1_024;
const MAX_PLAIN_BYTES = 64 * 1_024 * 1_024;

/**
 * Reads a list of sanctioned addresses by the ending of the file's name. A file in .xml is as OFAC publishes
 * `sdn_advanced.xml`. A file in .txt has an address a line, and a file in .json an array of addresses. Throws Refusal
 * invalid_sanctions_entry naming the file, and the line where a line is at fault.
 */
export async function readList(path: string): Promise<ParsedList> {
  try {
    switch (extname(path).toLowerCase()) {
      case '.xml':
        return await readXml(path);
      case '.txt':
        return parseTextList(await readPlain(path));
      case '.json':
        return parseJsonList(await readPlain(path));
      default:
        throw new RangeError('its name ends in none of .xml, .txt and .json');
    }
  } catch (cause) {
    const fault =
      cause instanceof ImportFault ? `, line ${cause.line}: ${cause.problem}` : `: ${(cause as Error).message}`;
    throw refuse('invalid_sanctions_entry', { param: 'file', message: `${path}${fault}.`, cause });
  }
}

async function readXml(path: string): Promise<ParsedList> {
  await requireSize(path, MAX_XML_BYTES);
  const reader = new SdnAdvancedReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(path)) reader.write(decoder.decode(chunk as Uint8Array, { stream: true }));
  reader.write(decoder.decode());
  return reader.end();
}

async function readPlain(path: string): Promise<string> {
  await requireSize(path, MAX_PLAIN_BYTES);
  return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
}

async function requireSize(path: string, maxBytes: number): Promise<void> {
  const { size } = await stat(path);
  if (size > maxBytes) throw new RangeError(`it has more than ${maxBytes} bytes`);
}
