import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { NetworkId, TokenId } from '../../../kernel/tokens';
import type { SandboxOutcome } from '../sandbox-outcomes';

export type SandboxOrder = {
  readonly paymentIntent: string;
  readonly outcome: SandboxOutcome;
  /** Decimal, of the payment's token; null: what the outcome takes by itself. */
  readonly tokenAmount: string | null;
};

export type SentTransfer = {
  readonly txHash: string;
  readonly networkId: NetworkId;
  readonly tokenId: TokenId;
  readonly baseUnits: bigint;
};

/**
 * Plays the customer on a local chain, and lets blocks pass until the payment has come to its outcome. Handled by the
 * process that does.
 */
export class SendSandboxTransfer extends Command<SentTransfer> {
  constructor(
    readonly order: SandboxOrder,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
