import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import { addressBytes } from './address-bytes';
import { indexEntries, type SanctionsEntry } from './sanctions-entries';
import builtInEntries from './sanctions-list.json';
import type { ScreeningMember } from './screening-member';

export const LOCAL_LIST_NAME = 'local-sanctions-list';

/** Sanctioned addresses held in memory. */
export class LocalSanctionsList implements ScreeningMember {
  readonly name = LOCAL_LIST_NAME;

  constructor(private readonly entries: ReadonlyMap<string, SanctionsEntry>) {}

  /** The list that ships with the service: test entries only. Throws as `indexEntries` does. */
  static builtIn(): LocalSanctionsList {
    return new LocalSanctionsList(indexEntries(builtInEntries));
  }

  covers(): boolean {
    return true;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Throws Refusal invalid_sanctions_address for a text that is no address of the network. */
  async screen({ network, payer }: ScreenedTransfer): Promise<ScreeningVerdict> {
    const entry = this.entries.get(addressBytes(network, payer));
    if (!entry) return { verdict: 'clear', source: this.name, reference: null };
    return { verdict: 'high_risk', source: entry.list_source, reference: entry.reference };
  }
}
