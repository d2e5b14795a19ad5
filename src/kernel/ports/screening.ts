import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';

/** The subject of a screening: the payer's address, and the merchant's wallet that was paid. */
export type ScreenedTransfer = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly payer: string;
  readonly recipient: string;
};

export type ScreeningVerdict = {
  readonly verdict: 'clear' | 'high_risk';
  readonly source: string;
  /** The source's own entry for the address, or a code of ours with its parameter; never a sentence of ours. */
  readonly reference: string | null;
};

/** Any error or time-out means "not known": the payment waits, and is never taken for clear. */
export interface Screening {
  /** `timeoutMs`: the time that each source has to answer; without it, the screening's own. */
  screen(transfer: ScreenedTransfer, timeoutMs?: number): Promise<ScreeningVerdict>;
}
