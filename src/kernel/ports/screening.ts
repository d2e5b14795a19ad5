import type { Mode } from '../event';
import type { NetworkId } from '../tokens';

/** What is screened: who paid, and the merchant's wallet that it went to. */
export type ScreenedTransfer = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly payer: string;
  readonly recipient: string;
};

export type ScreeningVerdict = {
  readonly verdict: 'clear' | 'high_risk';
  readonly source: string;
  readonly reference: string | null;
};

/** Any error or time-out means "not known": the payment waits, it is never taken for clear. */
export interface Screening {
  screen(transfer: ScreenedTransfer): Promise<ScreeningVerdict>;
}
