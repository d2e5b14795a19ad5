import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';
import { refuse } from '../../../kernel/errors';
import { WritePath } from '../../../kernel/write-path';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { checkMethod } from '../verification-method';
import { standingChallenge, wallets } from '../wallet.decider';
import type { VerificationMethod } from '../wallet.events';

export type VerificationProof = {
  readonly method: VerificationMethod;
  readonly signature: string | null;
  /** The challenge as it was signed; null where the merchant doesn't return it. */
  readonly challenge: string | null;
};

/** An edited or lapsed challenge and a missing or wrong signature are invalid_challenge_field. */
export class VerifyWallet extends Command<void> {
  constructor(
    readonly walletId: string,
    readonly proof: VerificationProof,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(VerifyWallet)
export class VerifyWalletHandler implements ICommandHandler<VerifyWallet> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(MESSAGE_SIGNATURES) private readonly signatures: MessageSignatures,
  ) {}

  async execute({ walletId, proof, context }: VerifyWallet): Promise<void> {
    const { method, signature } = proof;
    const { state, history } = await this.writePath.load(wallets, context.universe, walletId);
    if (state.status === 'none' || history[0]?.metadata.merchant_id !== context.merchantId) {
      throw refuse('wallet_not_found');
    }
    if (history.some(event => event.metadata.command_id === context.commandId)) return;
    const { network_id: network, address } = state.registration;
    checkMethod(method, network, this.signatures);
    const { challenge } = standingChallenge(state, method, context.now);
    if (proof.challenge !== null && proof.challenge !== challenge) {
      throw refuse('invalid_challenge_field', { param: 'challenge' });
    }
    // The decision is for the challenge that was checked: one that took its place meanwhile is refused there.
    const signed = signature !== null && (await this.signatures.verify(network, address, challenge, signature));
    if (!signed) throw refuse('invalid_challenge_field', { param: 'signature' });
    await this.writePath.execute(wallets, walletId, { type: 'verify', method, challenge }, context);
  }
}
