import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Clock } from '../../../kernel/clock';
import { withCommand, type MerchantContext } from '../../../kernel/command-context';
import type { Entropy } from '../../../kernel/entropy';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import { invariant } from '../../../kernel/invariant';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { amountOfUnits, depositToken, microDepositId, randomUnits } from '../micro-deposit-amount';
import { microDeposits, type DepositRequest } from '../micro-deposit.decider';
import { depositAddress, VERIFICATION_ADDRESSES, type VerificationAddresses } from '../verification-method';
import { freshChallenge, pending, wallets, type DepositChallenge } from '../wallet.decider';
import { loadOwnWallet } from '../own-wallet';

/**
 * An address has a handful of the 8,999 amounts taken at most. No free amount in so many tries means that somebody
 * fills them.
 */
const AMOUNT_TRIES = 32;

/** Answers the micro-deposit of the wallet: a new one, or one with at least half of its time left. */
export class AskMicroDeposit extends Command<DepositChallenge> {
  constructor(
    readonly walletId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

type Terms = Pick<DepositRequest, 'wallet_id' | 'network_id' | 'from' | 'to'>;

@CommandHandler(AskMicroDeposit)
export class AskMicroDepositHandler implements ICommandHandler<AskMicroDeposit> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.clock) private readonly clock: Clock,
    @Inject(PORTS.entropy) private readonly entropy: Entropy,
    @Inject(VERIFICATION_ADDRESSES) private readonly addresses: VerificationAddresses,
  ) {}

  async execute({ walletId, context }: AskMicroDeposit): Promise<DepositChallenge> {
    const { universe: mode } = context;
    // Blocks have the wall's time, so the deposit's term is by the wall's time too, and the merchant's sandbox clock
    // does not matter.
    const timed = { ...context, now: this.clock.now() };
    const { state } = await loadOwnWallet(this.writePath, walletId, context);
    const { network_id: network, address: from } = state.registration;
    const to = depositAddress(mode, network, this.addresses);
    const standing = freshChallenge(pending(state), 'micro_deposit', timed.now);
    if (standing) return standing;
    const reserved = await this.reserve({ wallet_id: walletId, network_id: network, from, to }, timed);
    return this.ask(walletId, reserved, timed);
  }

  /**
   * The first free one of some random amounts; the append decides whether an amount is free. Throws Refusal
   * reservation_capacity_exhausted.
   */
  private async reserve(terms: Terms, context: MerchantContext): Promise<DepositChallenge> {
    const token = depositToken(terms.network_id);
    for (let attempt = 1; attempt <= AMOUNT_TRIES; attempt++) {
      const units = randomUnits(this.entropy);
      const id = microDepositId(token, terms.from, units);
      const amount = amountOfUnits(token, units).toString();
      const command = {
        type: 'reserve',
        request: { ...terms, token_id: token.id, amount_base_units: amount },
      } as const;
      try {
        const { state } = await this.writePath.execute(microDeposits, id, command, withCommand(context, id));
        invariant(state.status === 'open', 'an amount was reserved');
        const { to: address, token_id, amount_base_units, expires_at } = state.request;
        return { method: 'micro_deposit', deposit_id: id, address, token_id, amount_base_units, expires_at };
      } catch (error) {
        if (!isRefusal(error, 'reservation_capacity_exhausted')) throw error;
      }
    }
    throw refuse('reservation_capacity_exhausted');
  }

  /**
   * The amount is free again at once where another call won, or the wallet is verified meanwhile. After a crash, the
   * amount is free when it lapses.
   */
  private async ask(
    walletId: string,
    challenge: DepositChallenge,
    context: MerchantContext,
  ): Promise<DepositChallenge> {
    const { deposit_id: id } = challenge;
    try {
      const asked = await this.writePath.execute(wallets, walletId, { type: 'ask_deposit', challenge }, context);
      if (asked.events.length === 0) await this.release(id, walletId, context);
      const { challenge: standing } = pending(asked.state);
      invariant(standing?.method === 'micro_deposit', 'a micro-deposit was asked for');
      return standing;
    } catch (error) {
      if (isRefusal(error)) await this.release(id, walletId, context);
      throw error;
    }
  }

  private async release(id: string, walletId: string, context: MerchantContext): Promise<void> {
    const command = { type: 'release', walletId } as const;
    await this.writePath.execute(microDeposits, id, command, withCommand(context, `${id}/release`));
  }
}
