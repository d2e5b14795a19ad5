import type { NetworkId } from '../tokens';

export type ScreeningVerdict = {
  readonly verdict: 'clear' | 'high_risk';
  readonly source: string;
  readonly reference: string | null;
};

/** Any error or time-out means "not known": the payment waits, it is never taken for clear. */
export interface Screening {
  screen(network: NetworkId, address: string): Promise<ScreeningVerdict>;
}
