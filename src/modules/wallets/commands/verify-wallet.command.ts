import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import { refuse } from '../../../kernel/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { checkSignatures } from '../verification-method';
import { signingChallenge, wallets } from '../wallet.decider';
import { assertWatched } from './assert-watched';
import { loadOwnWallet } from './own-wallet';

export type SignedProof = {
  readonly signature: string | null;
  /** The challenge as it was signed; null where the merchant doesn't return it. */
  readonly challenge: string | null;
};

/**
 * Returns once the wallet is watched. Throws Refusal invalid_challenge_field for an edited or lapsed challenge, and for
 * a missing or wrong signature. Throws provider_unavailable where a contract wallet's chain does not answer, or where
 * the wallet cannot be found by its watcher.
 */
export class VerifyWallet extends Command<void> {
  constructor(
    readonly walletId: string,
    readonly proof: SignedProof,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(VerifyWallet)
export class VerifyWalletHandler implements ICommandHandler<VerifyWallet> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(MESSAGE_SIGNATURES) private readonly signatures: MessageSignatures,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ walletId, proof, context }: VerifyWallet): Promise<void> {
    const { universe: mode, commandId } = context;
    const loaded = await loadOwnWallet(this.writePath, walletId, context);
    const { state, history } = loaded;
    const { network_id: network, address } = state.registration;
    const wallet = { id: walletId, mode, network, address };
    if (history.some(event => event.metadata.command_id === commandId))
      return assertWatched(this.writePath, this.readModels, wallet);
    checkSignatures(network, this.signatures);
    const { challenge } = signingChallenge(state, context.now);
    if (proof.challenge !== null && proof.challenge !== challenge) {
      throw refuse('invalid_challenge_field', { param: 'challenge' });
    }
    // The decision is for the challenge that was checked: one that took its place meanwhile is refused there.
    const signer = { mode, network, address };
    const signed = proof.signature !== null && (await this.signatures.verify(signer, challenge, proof.signature));
    if (!signed) throw refuse('invalid_challenge_field', { param: 'signature' });
    await this.writePath.execute(wallets, walletId, { type: 'verify', challenge }, context, loaded);
    await assertWatched(this.writePath, this.readModels, wallet);
  }
}
