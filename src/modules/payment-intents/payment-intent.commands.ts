import type { DetectedTransfer, FailureReason, PaymentIntentCreated, Quote, Remainder } from './payment-intent.events';

export type PaymentIntentCommand =
  | { readonly type: 'create'; readonly terms: PaymentIntentCreated['data'] }
  | { readonly type: 'select_method'; readonly quote: Quote }
  | { readonly type: 'cancel' }
  | { readonly type: 'expire' }
  | { readonly type: 'see_transfer'; readonly transfer: DetectedTransfer }
  /** Gone for good, reverted, or not what it seemed. */
  | { readonly type: 'drop_transfer'; readonly transferId: string; readonly reason: FailureReason }
  | { readonly type: 'see_confirmation'; readonly transferId: string; readonly headNumber: number }
  | {
      readonly type: 'reach_depth';
      readonly transferId: string;
      readonly blockHash: string;
      readonly headNumber: number;
    }
  | {
      readonly type: 'screen_payer';
      readonly payer: string;
      readonly verdict: 'clear' | 'high_risk';
      readonly source: string;
      readonly reference: string | null;
    }
  /** `remainder` is the amount reserved for what would be missing; needed only where the payment turns out short. */
  | { readonly type: 'settle'; readonly remainder: Remainder | null }
  | { readonly type: 'credit_remainder'; readonly transferId: string }
  | { readonly type: 'credit_late'; readonly transferId: string }
  | { readonly type: 'place_hold'; readonly payer: string; readonly reason: string }
  | { readonly type: 'release_hold'; readonly reason: string }
  | { readonly type: 'reject_hold'; readonly reason: string }
  | { readonly type: 'accept'; readonly note: string | null }
  | { readonly type: 'resolve'; readonly resolution: 'accepted' | 'rejected'; readonly note: string }
  | { readonly type: 'lose_settled_transfer'; readonly transferId: string };
