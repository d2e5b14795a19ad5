import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { refuse } from '../../../vocabulary/errors';
import type { NetworkId } from '../../../vocabulary/networks';
import type { SandboxOutcome } from '../../../vocabulary/sandbox-outcomes';
import type { TokenId } from '../../../vocabulary/tokens';
import { quotedPayment, type QuotedPayment } from '../quoted-payment';

export type SandboxOrder = {
  readonly paymentIntent: string;
  readonly outcome: SandboxOutcome;
  /** A decimal amount of the payment's token; null: the outcome's own amount. */
  readonly tokenAmount: string | null;
  /** The outcomes `short` and `over` file the transaction where this is true for the payment. */
  readonly namesTransaction: boolean;
};

export type SentTransfer = {
  readonly txHash: string;
  readonly networkId: NetworkId;
  readonly tokenId: TokenId;
  readonly baseUnits: bigint;
};

/** The customers that the sandbox plays, by network; a network without a local chain has none. */
export const SANDBOX_CUSTOMERS = Symbol('SANDBOX_CUSTOMERS');
export type SandboxCustomers = ReadonlyMap<
  NetworkId,
  { readonly send: (order: SandboxOrder, payment: QuotedPayment, context: MerchantContext) => Promise<SentTransfer> }
>;

/** Plays the customer on a local chain, and lets blocks pass until the payment has come to its outcome. */
export class SendSandboxTransfer extends Command<SentTransfer> {
  constructor(
    readonly order: SandboxOrder,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(SendSandboxTransfer)
export class SendSandboxTransferHandler implements ICommandHandler<SendSandboxTransfer> {
  constructor(
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
    @Inject(SANDBOX_CUSTOMERS) private readonly customers: SandboxCustomers,
  ) {}

  /** Throws Refusal payment_not_found, payment_not_quoted or unsupported_network, and those of the customer. */
  async execute({ order, context }: SendSandboxTransfer): Promise<SentTransfer> {
    const payment = await quotedPayment(this.readModels, order.paymentIntent, context);
    const { network_id: network } = payment.quote;
    const customer = this.customers.get(network);
    if (!customer) throw refuse('unsupported_network', { message: `No local chain runs for ${network} here.` });
    return customer.send(order, payment, context);
  }
}
