import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { parseIsoTime, type Clock } from '../../../kernel/clock';
import type { MerchantContext } from '../../../kernel/command-context';
import type { RecordedEvent } from '../../../kernel/event';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { microDeposits } from '../micro-deposit.decider';
import { unanswerable } from '../wallet.decider';
import { assertWatched } from './assert-watched';
import { loadOwnWallet } from '../own-wallet';

/**
 * Answers the wallet's stream where the wallet is verified and watched, or where its deposit may still prove it. The
 * watcher verifies the wallet once the deposit is final. Throws Refusal wallet_not_found. Throws
 * invalid_challenge_field where no deposit was asked for or the last one lapsed unseen. Throws provider_unavailable
 * where the wallet cannot be found by its watcher.
 */
export class AwaitMicroDeposit extends Command<readonly RecordedEvent[]> {
  constructor(
    readonly walletId: string,
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(AwaitMicroDeposit)
export class AwaitMicroDepositHandler implements ICommandHandler<AwaitMicroDeposit> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.clock) private readonly clock: Clock,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ walletId, context }: AwaitMicroDeposit): Promise<readonly RecordedEvent[]> {
    const { universe: mode } = context;
    const { state: wallet, history } = await loadOwnWallet(this.writePath, walletId, context);
    if (wallet.status === 'verified') {
      const { network_id: network, address } = wallet.registration;
      await assertWatched(this.writePath, this.readModels, { id: walletId, mode, network, address });
      return history;
    }
    const depositId = wallet.depositIds.at(-1);
    if (depositId === undefined) throw unanswerable('Ask for a challenge of this method first.');
    const { state: deposit } = await this.writePath.load(microDeposits, mode, depositId);
    if (deposit.status === 'seen' || deposit.status === 'credited') return history;
    const isOpen = deposit.status === 'open' && this.clock.now() < parseIsoTime(deposit.request.expires_at);
    if (!isOpen) throw unanswerable('The challenge has lapsed with no such deposit: ask for a new one.');
    return history;
  }
}
