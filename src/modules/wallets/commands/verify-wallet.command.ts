import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { refuse } from '../../../vocabulary/errors';
import { invariant } from '../../../kernel/invariant';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { checkSignatures } from '../verification-method';
import { signingChallenge, wallets, type Wallet } from '../wallet.decider';
import { assertWatched } from './assert-watched';

export type SignedProof = {
  readonly signature: string | null;
  /** The challenge as it was signed; null where the merchant doesn't return it. */
  readonly challenge: string | null;
};

/**
 * Answers the wallet's stream, once the wallet is watched. Throws Refusal invalid_challenge_field for an edited or
 * lapsed challenge, and for a missing or wrong signature. Throws provider_unavailable where a contract wallet's chain
 * does not answer, or where the wallet cannot be found by its watcher.
 */
export class VerifyWallet extends Command<readonly RecordedEvent[]> {
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

  async execute({ walletId, proof, context }: VerifyWallet): Promise<readonly RecordedEvent[]> {
    const { universe: mode } = context;
    const { state, history } = await this.writePath.executePlan(
      wallets,
      walletId,
      (_, challenge: string) => ({ command: { type: 'verify' as const, challenge }, context }),
      context,
      { find: async ({ state: wallet }) => this.provenChallenge(wallet, proof, context), readsFirst: true },
    );
    invariant(state.status !== 'none', 'a wallet was verified');
    const { network_id: network, address } = state.registration;
    await assertWatched(this.writePath, this.readModels, { id: walletId, mode, network, address });
    return history;
  }

  /** The challenge that the wallet has now, once its signature is proven. */
  private async provenChallenge(
    wallet: Wallet,
    proof: SignedProof,
    { universe: mode, now }: MerchantContext,
  ): Promise<string> {
    if (wallet.status === 'none') throw refuse('wallet_not_found');
    const { network_id: network, address } = wallet.registration;
    checkSignatures(network, this.signatures);
    const { challenge } = signingChallenge(wallet, now);
    if (proof.challenge !== null && proof.challenge !== challenge) {
      throw refuse('invalid_challenge_field', { param: 'challenge' });
    }
    const signer = { mode, network, address };
    const signed = proof.signature !== null && (await this.signatures.verify(signer, challenge, proof.signature));
    if (!signed) throw refuse('invalid_challenge_field', { param: 'signature' });
    return challenge;
  }
}
