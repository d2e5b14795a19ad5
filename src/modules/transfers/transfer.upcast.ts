import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Claims of version 1 were made before any claim was inferred. */
const withoutEvidence: Upcast = ({ type, data }) => ({ type, data: { ...data, evidence: null } });

/** The upcasts of a transfer's events; the first upcast of a type leads from version 1 to 2. */
export const transferUpcasts: Upcasts = { TransferClaimed: [withoutEvidence] };
