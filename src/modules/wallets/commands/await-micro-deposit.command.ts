import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseIsoTime, type Clock } from '../../../kernel/clock';
import type { CommandContext } from '../../../kernel/command-context';
import { PORTS } from '../../../kernel/ports/injection';
import { WritePath } from '../../../kernel/write-path';
import { microDeposits } from '../micro-deposit.decider';
import { unanswerable } from '../wallet.decider';
import { loadOwnWallet } from './own-wallet';

/**
 * Returns where the wallet is verified or its deposit may still make it so: the watcher does that, once it is final. Throws Refusal
 * wallet_not_found, or invalid_challenge_field where no deposit was asked for or the last one lapsed unseen.
 */
export class AwaitMicroDeposit extends Command<void> {
  constructor(
    readonly walletId: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(AwaitMicroDeposit)
export class AwaitMicroDepositHandler implements ICommandHandler<AwaitMicroDeposit> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  async execute({ walletId, context }: AwaitMicroDeposit): Promise<void> {
    const { state: wallet } = await loadOwnWallet(this.writePath, walletId, context);
    if (wallet.status === 'verified') return;
    const depositId = wallet.depositIds.at(-1);
    if (depositId === undefined) throw unanswerable('Ask for a challenge of this method first.');
    const { state: deposit } = await this.writePath.load(microDeposits, context.universe, depositId);
    if (deposit.status === 'seen' || deposit.status === 'credited') return;
    const isOpen = deposit.status === 'open' && this.clock.now() < parseIsoTime(deposit.request.expires_at);
    if (!isOpen) throw unanswerable('The challenge has lapsed with no such deposit: ask for a new one.');
  }
}
