import type {
  DetectedTransfer,
  DropReason,
  FailureReason,
  HoldGround,
  PaymentIntentCreated,
  Quote,
  Remainder,
} from './payment-intent.events';

/** An amount reserved for what is missing of a payment when so much has come. */
export type ReservedRemainder = { readonly receivedBaseUnits: bigint; readonly remainder: Remainder };

/**
 * A transfer as the payment had it when its claim was committed in that block. One that was dropped and seen again
 * since is another sighting, for which nothing is committed: it decides to nothing.
 */
export type CommittedTransfer = { readonly transferId: string; readonly blockHash: string; readonly sighting: number };

export type PaymentIntentCommand =
  | { readonly type: 'create'; readonly terms: PaymentIntentCreated['data'] }
  | { readonly type: 'select_method'; readonly quote: Quote }
  | { readonly type: 'cancel' }
  | { readonly type: 'expire' }
  | { readonly type: 'see_transfer'; readonly transfer: DetectedTransfer }
  /** One that the payment has, seen in another block. */
  | {
      readonly type: 'move_transfer';
      readonly transferId: string;
      readonly block: Pick<DetectedTransfer, 'block_number' | 'block_hash' | 'block_time'>;
    }
  /**
   * It never was the payment's to count: its claim is another's, or nobody's. Decides to nothing where it counts
   * already.
   */
  | {
      readonly type: 'withdraw_transfer';
      readonly transferId: string;
      readonly blockHash: string;
      readonly reason: FailureReason;
    }
  /** Gone for good from the block named, reverted, not what it seemed, or too late to count. */
  | {
      readonly type: 'drop_transfer';
      readonly transferId: string;
      readonly blockHash: string;
      readonly reason: DropReason;
    }
  | { readonly type: 'see_confirmation'; readonly transferId: string; readonly headNumber: number }
  | ({
      readonly type: 'reach_depth';
      readonly headNumber: number;
    } & CommittedTransfer)
  | {
      readonly type: 'screen_payer';
      readonly payer: string;
      readonly verdict: 'clear' | 'high_risk';
      readonly source: string;
      readonly reference: string | null;
    }
  /** `reserved` is needed only where the payment turns out short. */
  | { readonly type: 'settle'; readonly reserved: ReservedRemainder | null }
  /** A transfer that is final in the block named; `reserved` as in `settle`, for what has come with it. */
  | ({ readonly type: 'credit_remainder'; readonly reserved: ReservedRemainder | null } & CommittedTransfer)
  /** What is missing is asked for anew, where a transfer that counted is gone. */
  | { readonly type: 'ask_remainder'; readonly reserved: ReservedRemainder }
  | ({ readonly type: 'credit_late' } & CommittedTransfer)
  | (HoldGround & { readonly type: 'place_hold'; readonly payer: string })
  /** `proposedBy` and `approvedBy` are ids of two administrators; whoever carries it out is one of them. */
  | {
      readonly type: 'release_hold' | 'reject_hold';
      readonly reason: string;
      readonly proposedBy: string;
      readonly approvedBy: string;
    }
  /** `standing` names the transfers that the chain has just been seen to hold still. */
  | { readonly type: 'accept'; readonly note: string | null; readonly standing: readonly string[] }
  | {
      readonly type: 'resolve';
      readonly resolution: 'accepted' | 'rejected';
      readonly note: string;
      readonly standing: readonly string[];
    }
  | { readonly type: 'lose_settled_transfer'; readonly transferId: string; readonly blockHash: string };
