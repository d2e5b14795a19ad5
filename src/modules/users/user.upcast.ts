import type { Upcast, Upcasts } from '../../kernel/upcasting';

/** Events of version 1 told in a sentence whether the operator or an owner had acted. The actor tells so as well. */
const withoutSentence: Upcast = ({ type }) => ({ type, data: {} });

/** The upcasts of a user; the first upcast of a type leads from version 1 to 2. */
export const userUpcasts: Upcasts = { UserDisabled: [withoutSentence], UserEnabled: [withoutSentence] };
