import { open } from 'node:fs/promises';
import { refuse, type Refusal } from '../../kernel/errors';
import type { Screening, ScreeningVerdict } from '../../kernel/ports/screening';
import type { NetworkId } from '../../kernel/tokens';
import { addressBytes } from './address-bytes';
import { indexEntries, type SanctionsEntry } from './sanctions-entries';
import builtInEntries from './sanctions-list.json';

const MAX_FILE_BYTES = 64 * 1_024 * 1_024;

/** Sanctioned addresses held in memory. A list that could not be read clears nobody. */
export class LocalSanctionsList implements Screening {
  readonly name = 'local-sanctions-list';

  private constructor(
    private readonly entries: ReadonlyMap<string, SanctionsEntry>,
    /** Refusal invalid_config, for the start-up to report; null when the list is in force. */
    readonly problem: Refusal | null,
  ) {}

  /** The list that ships with the service: test entries only. Throws as `indexEntries` does. */
  static builtIn(): LocalSanctionsList {
    return new LocalSanctionsList(indexEntries(builtInEntries), null);
  }

  /** A JSON file: an array of `{address, network, list_source, reference}`. Never throws: see `problem`. */
  static async fromFile(path: string): Promise<LocalSanctionsList> {
    try {
      return new LocalSanctionsList(indexEntries(JSON.parse(await readBounded(path))), null);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The sanctions list ${path} cannot be used, so no payer is cleared: ${reason}`;
      return new LocalSanctionsList(new Map(), refuse('invalid_config', { message, cause }));
    }
  }

  /** Throws Refusal screening_timeout without a usable list, invalid_sanctions_address for what is no address of the network. */
  async screen(network: NetworkId, address: string): Promise<ScreeningVerdict> {
    if (this.problem !== null) throw refuse('screening_timeout', { cause: this.problem });
    const entry = this.entries.get(addressBytes(network, address));
    if (!entry) return { verdict: 'clear', source: this.name, reference: null };
    return { verdict: 'high_risk', source: entry.list_source, reference: entry.reference };
  }
}

/** The length is asked of the opened file, so the file that is read is the one that was measured. */
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
