import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { NamingSide } from '../naming.events';
import type { Naming } from '../naming.decider';

export type NamedTransaction = {
  /** As it was pasted. */
  readonly text: string;
  readonly logIndex: number | null;
};

/** Nothing is counted yet; the naming says what it waits for. */
export type FiledNaming = {
  readonly kind: 'filed';
  readonly namingId: string;
  /** The hash, or an exchange's own number, as it is kept. */
  readonly reference: string;
  readonly naming: Naming;
  readonly filedAt: string;
};

export type AttributionOutcome = { readonly kind: 'attributed'; readonly transferId: string } | FiledNaming;

/**
 * Somebody says that this transaction pays a payment. Handled by the process that asks the chain, since that spans
 * streams.
 */
export class AttributeTransaction extends Command<AttributionOutcome> {
  constructor(
    readonly paymentIntent: string,
    readonly named: NamedTransaction,
    readonly side: NamingSide,
    /** Its actor is the merchant, or the customer at checkout; its merchant the payment's. */
    readonly context: MerchantContext,
  ) {
    super();
  }
}
