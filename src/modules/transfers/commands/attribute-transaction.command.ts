import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { NamingSide } from '../naming.events';
import type { Naming } from '../naming.decider';
import type { TransactionReference } from '../transaction-reference';
import type { TransferKey } from '../transfer.events';

export type NamedTransaction = {
  /** The text as it was pasted. */
  readonly text: string;
  readonly logIndex: number | null;
  /** Set where a transfer of the queue is named. The naming is refused once that transfer has left the queue. */
  readonly queued?: TransferKey;
};

/** A naming without a credit yet; its fields tell why it waits. */
export type FiledNaming = {
  readonly kind: 'filed';
  readonly namingId: string;
  readonly referenceKind: TransactionReference['kind'];
  /** The hash, or an exchange's own number, in its stored form. */
  readonly reference: string;
  readonly naming: Naming;
  readonly filedAt: string;
};

export type AttributionOutcome = { readonly kind: 'attributed'; readonly transferId: string } | FiledNaming;

/**
 * A person says that this transaction pays a payment. The process that asks the chain handles the command, since the
 * work spans streams.
 */
export class AttributeTransaction extends Command<AttributionOutcome> {
  constructor(
    readonly paymentIntent: string,
    readonly named: NamedTransaction,
    readonly side: NamingSide,
    /** The context's actor is the merchant, or the customer at checkout; its merchant is the payment's. */
    readonly context: MerchantContext,
  ) {
    super();
  }
}
