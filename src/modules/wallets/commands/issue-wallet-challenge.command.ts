import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../kernel/command-context';
import type { Entropy } from '../../../kernel/entropy';
import { invariant } from '../../../kernel/invariant';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { NONCE_BYTES } from '../challenge';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { checkSignatures } from '../verification-method';
import { wallets, type SigningChallenge } from '../wallet.decider';
import { loadOwnWallet } from './own-wallet';

/** Host name that a challenge speaks for: that of the service's public address. */
export const CHALLENGE_DOMAIN = Symbol('challenge domain');

/** Answers the text to sign that stands: a new one, or one with at least half of its time left. */
export class IssueWalletChallenge extends Command<SigningChallenge> {
  constructor(
    readonly walletId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(IssueWalletChallenge)
export class IssueWalletChallengeHandler implements ICommandHandler<IssueWalletChallenge> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
    @Inject(MESSAGE_SIGNATURES) private readonly signatures: MessageSignatures,
    @Inject(CHALLENGE_DOMAIN) private readonly domain: string,
  ) {}

  async execute({ walletId, context }: IssueWalletChallenge): Promise<SigningChallenge> {
    const wallet = await loadOwnWallet(this.writePath, walletId, context);
    checkSignatures(wallet.state.registration.network_id, this.signatures);
    const nonce = Buffer.from(this.entropy.bytes(NONCE_BYTES)).toString('hex');
    const issue = { type: 'issue_challenge', domain: this.domain, walletId, mode: context.universe, nonce } as const;
    const { state } = await this.writePath.execute(wallets, walletId, issue, context, wallet);
    invariant(state.status === 'pending' && state.challenge?.method === 'signed_message', 'a challenge was issued');
    return state.challenge;
  }
}
