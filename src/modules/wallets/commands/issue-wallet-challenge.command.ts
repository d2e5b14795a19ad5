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
import { wallets, type SigningChallenge, type Wallet } from '../wallet.decider';

/** Host name in a challenge, which is that of the service's public address. */
export const CHALLENGE_DOMAIN = Symbol('challenge domain');

/** Answers the text to sign: a new one, or one with at least half of its time left. */
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
    const nonce = Buffer.from(this.entropy.bytes(NONCE_BYTES)).toString('hex');
    const issue = { type: 'issue_challenge', domain: this.domain, walletId, mode: context.universe, nonce } as const;
    const plan = ({ state: wallet }: { readonly state: Wallet }) => {
      if (wallet.status !== 'none') checkSignatures(wallet.registration.network_id, this.signatures);
      return { command: issue, context };
    };
    const { state } = await this.writePath.executePlan(wallets, walletId, plan, context);
    invariant(state.status === 'pending' && state.challenge?.method === 'signed_message', 'a challenge was issued');
    return state.challenge;
  }
}
