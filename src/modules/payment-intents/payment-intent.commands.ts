import type { TextRule } from '../../vocabulary/text-rules';
import type {
  DropReason,
  FailureReason,
  HoldGround,
  PaymentIntentCreated,
  Quote,
  Remainder,
  SightedTransfer,
} from './payment-intent.events';

/** Links and invoices give their descriptions to payments, so theirs are no longer. */
export const DESCRIPTION_LENGTH = 200;
export const DESCRIPTION = { isPlain: true, max: DESCRIPTION_LENGTH } as const satisfies TextRule;

/** An amount reserved for a payment's remainder when so much has come; `remainder` is null where no amount is free. */
export type ReservedRemainder = { readonly receivedBaseUnits: bigint; readonly remainder: Remainder | null };

/**
 * A transfer as the payment had it when its claim was committed in that block. A transfer that was dropped and seen
 * again since is another sighting, without a commitment, and the command yields no events.
 */
export type CommittedTransfer = { readonly transferId: string; readonly blockHash: string; readonly sighting: number };

export type PaymentIntentCommand =
  | { readonly type: 'create'; readonly terms: PaymentIntentCreated['data'] }
  | { readonly type: 'select_method'; readonly quote: Quote }
  | { readonly type: 'cancel' }
  | { readonly type: 'expire' }
  /** `isInferred`: no reservation and nobody's naming gives the transfer to the payment, but an inference. */
  | { readonly type: 'see_transfer'; readonly transfer: SightedTransfer; readonly isInferred?: boolean }
  /** A transfer that the payment has, seen in another block. */
  | {
      readonly type: 'move_transfer';
      readonly transferId: string;
      readonly block: Pick<SightedTransfer, 'block_number' | 'block_hash' | 'block_time'>;
    }
  /**
   * The payment never had the right to count the transfer: the claim is another payment's, or nobody's. Yields no
   * events where the transfer counts already.
   */
  | {
      readonly type: 'withdraw_transfer';
      readonly transferId: string;
      readonly blockHash: string;
      readonly reason: FailureReason;
    }
  /**
   * The transfer has left the named block for good, is reverted, differs from its sighting, or came too late to count.
   */
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
  /** `reserved` is needed only where the payment is underpaid. */
  | { readonly type: 'settle'; readonly reserved: ReservedRemainder | null }
  /**
   * Counts a further transfer, final in the named block, for an underpaid payment. `reserved` is needed only where the
   * payment stays underpaid with this transfer.
   */
  | ({ readonly type: 'credit_remainder'; readonly reserved: ReservedRemainder | null } & CommittedTransfer)
  /** The remainder is asked for anew, where a transfer that counted is gone or no amount was free. */
  | { readonly type: 'ask_remainder'; readonly reserved: ReservedRemainder }
  | ({ readonly type: 'credit_late' } & CommittedTransfer)
  | (HoldGround & { readonly type: 'place_hold'; readonly payer: string })
  /** `proposedBy` and `approvedBy` are ids of two administrators; one of them carries out the resolution. */
  | {
      readonly type: 'release_hold' | 'reject_hold';
      readonly reason: string;
      readonly proposedBy: string;
      readonly approvedBy: string;
    }
  /** `standing` names the transfers that the chain still holds. */
  | { readonly type: 'accept'; readonly note: string | null; readonly standing: readonly string[] }
  | {
      readonly type: 'resolve';
      readonly resolution: 'accepted' | 'rejected';
      readonly note: string;
      readonly standing: readonly string[];
    }
  | { readonly type: 'lose_settled_transfer'; readonly transferId: string; readonly blockHash: string };
