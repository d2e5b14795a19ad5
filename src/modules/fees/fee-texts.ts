import type { TextRule } from '../../vocabulary/text-rules';

/** The memo of an adjustment, which the merchant reads. */
export const MEMO = { isWritten: true, max: 500 } as const satisfies TextRule;
/** The reference of a fee invoice's payment, such as the number of the payment at the bank. */
export const PAYMENT_REFERENCE = { isWritten: true, max: 200 } as const satisfies TextRule;
