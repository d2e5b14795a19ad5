import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext } from '../../../kernel/command-context';
import type { Entropy } from '../../../kernel/entropy';
import { refuse } from '../../../kernel/errors';
import { invariant } from '../../../kernel/invariant';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { NONCE_BYTES } from '../challenge';
import { MESSAGE_SIGNATURES, type MessageSignatures } from '../message-signatures';
import { checkMethod } from '../verification-method';
import { wallets, type Challenge } from '../wallet.decider';
import type { VerificationMethod } from '../wallet.events';

/** Host name that a challenge speaks for: that of the service's public address. */
export const CHALLENGE_DOMAIN = Symbol('challenge domain');

/** Answers the challenge that stands: a new one, or one with at least half of its time left. */
export class IssueWalletChallenge extends Command<Challenge> {
  constructor(
    readonly walletId: string,
    readonly method: VerificationMethod,
    readonly context: CommandContext,
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

  async execute({ walletId, method, context }: IssueWalletChallenge): Promise<Challenge> {
    const { state: before, history } = await this.writePath.load(wallets, context.universe, walletId);
    if (before.status === 'none' || history[0]?.metadata.merchant_id !== context.merchantId) {
      throw refuse('wallet_not_found');
    }
    checkMethod(method, before.registration.network_id, this.signatures);
    const nonce = Buffer.from(this.entropy.bytes(NONCE_BYTES)).toString('hex');
    const facts = { domain: this.domain, walletId, mode: context.universe, nonce };
    const issue = { type: 'issue_challenge', method, ...facts } as const;
    const { state } = await this.writePath.execute(wallets, walletId, issue, context);
    invariant(state.status === 'pending' && state.challenge !== null, 'a challenge was issued');
    return state.challenge;
  }
}
