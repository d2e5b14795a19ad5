import type { JsonValue } from '../../vocabulary/json';
import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Claims of version 1 were made before any claim was inferred. */
const withoutEvidence: Upcast = ({ type, data }) => ({ type, data: { ...data, evidence: null } });

type OlderEvidence = Record<string, JsonValue> & { readonly others: readonly Record<string, JsonValue>[] };

const UNKNOWN_ENDS = { quote_expires_at: null, reserved_until: null, left_at: null } as const;

/** Evidence of version 2 did not tell when the payments ended that were looked at. */
const withUnknownEnds: Upcast = ({ type, data }) => {
  const evidence = data.evidence as OlderEvidence | null;
  if (evidence === null) return { type, data };
  const others = evidence.others.map(other => ({ ...other, ...UNKNOWN_ENDS }));
  return { type, data: { ...data, evidence: { ...evidence, quote_expires_at: null, clock_ahead_ms: null, others } } };
};

/** The upcasts of a transfer's events; the first upcast of a type leads from version 1 to 2. */
export const transferUpcasts: Upcasts = { TransferClaimed: [withoutEvidence, withUnknownEnds] };
