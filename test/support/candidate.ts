import type { RankedCandidate } from '../../src/modules/transfers/transfer.events';

/** A candidate whose amount was met exactly, a second after its quote. */
export function candidateOf(paymentIntent: string, distanceBaseUnits = '5'): RankedCandidate {
  return {
    payment_intent: paymentIntent,
    merchant_id: 'mch_1',
    evidence: {
      amount: { code: 'exact' },
      is_of_remainder: false,
      paid: { code: 'after_quote', by_ms: 1_000 },
      sender: null,
      standing: null,
    },
    distance_base_units: distanceBaseUnits,
  };
}
