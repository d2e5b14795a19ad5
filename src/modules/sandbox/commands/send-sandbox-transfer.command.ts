import { Command } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { TokenId } from '../../../vocabulary/tokens';
import type { NetworkId } from '../../../vocabulary/networks';
import type { SandboxOutcome } from '../sandbox-outcomes';

export type SandboxOrder = {
  readonly paymentIntent: string;
  readonly outcome: SandboxOutcome;
  /** A decimal amount of the payment's token; null: the outcome's own amount. */
  readonly tokenAmount: string | null;
};

export type SentTransfer = {
  readonly txHash: string;
  readonly networkId: NetworkId;
  readonly tokenId: TokenId;
  readonly baseUnits: bigint;
};

/**
 * Plays the customer on a local chain, and lets blocks pass until the payment has come to its outcome. The process of
 * the local chains handles the command.
 */
export class SendSandboxTransfer extends Command<SentTransfer> {
  constructor(
    readonly order: SandboxOrder,
    readonly context: MerchantContext,
  ) {
    super();
  }
}
