import { z } from 'zod';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { NETWORK_IDS, type NetworkId } from '../../vocabulary/networks';
import { canonicalAddress } from './address';

/** One address whose key an exchange or custodian is known to hold. */
const row = z.strictObject({
  mode: z.enum(['test', 'live']),
  network_id: z.enum(NETWORK_IDS),
  address: z.string(),
  exchange: z.string().min(1),
});
const MAX_ROWS = 1_000_000;

/** Known addresses of exchanges, in memory: looked up once a registration. */
export class ExchangeHostedAddresses {
  private constructor(private readonly known: ReadonlySet<string>) {}

  /** Throws Refusal invalid_config naming the row at fault. */
  static from(rows: unknown): ExchangeHostedAddresses {
    const parsed = z.array(row).max(MAX_ROWS).safeParse(rows);
    if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
    const known = parsed.data.map(({ mode, network_id: network, address }, index) => {
      try {
        return keyOf(mode, network, canonicalAddress(network, address));
      } catch (cause) {
        throw invalid(`[${index}].address is not an address of ${network}`, cause);
      }
    });
    return new ExchangeHostedAddresses(new Set(known));
  }

  /** `address` in its stored form. */
  has(mode: Mode, network: NetworkId, address: string): boolean {
    return this.known.has(keyOf(mode, network, address));
  }
}

function keyOf(mode: Mode, network: NetworkId, address: string): string {
  return `${mode}:${network}:${address}`;
}

function invalid(problem: string, cause?: unknown): Error {
  return refuse('invalid_config', { message: `The list of exchange-hosted addresses is invalid: ${problem}`, cause });
}
