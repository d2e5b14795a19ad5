import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext, PlatformContext } from '../../../kernel/command-context';
import { invariant } from '../../../kernel/invariant';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import { ownTransfer } from '../own-transfer';
import { transfers, transferStreamId } from '../transfer.decider';
import type { TransferKey, TransferSetAside } from '../transfer.events';
import {
  keyOfRow,
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../unmatched-transfers.read-model';

/**
 * A transfer leaves the queue: the money was returned, or is kept. A merchant decides for its own addresses alone.
 * Answers the transfer's document after the decision.
 */
export class SetAsideUnmatchedTransfer extends Command<Document<UnmatchedTransferDocument>> {
  constructor(
    /** `tr_…` */
    readonly transferId: string,
    readonly decision: TransferSetAside['data'],
    readonly context: MerchantContext,
  ) {
    super();
  }
}

/** An administrator takes a transfer to any address out of the queue. */
export class SetAsideAsAdministrator extends Command<void> {
  constructor(
    readonly key: TransferKey,
    readonly decision: TransferSetAside['data'],
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(SetAsideUnmatchedTransfer)
export class SetAsideUnmatchedTransferHandler implements ICommandHandler<SetAsideUnmatchedTransfer> {
  constructor(
    private readonly writes: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  /**
   * Throws Refusal unmatched_transfer_not_found for a transfer to an address that is not proved to be the merchant's.
   * Throws Refusal unmatched_transfer_already_resolved or invalid_resolution.
   */
  async execute({ transferId, decision, context }: SetAsideUnmatchedTransfer) {
    const { universe: mode, merchantId } = context;
    const row = await ownTransfer(this.readModels, { mode, merchantId }, transferId);
    if (row === null) throw refuse('unmatched_transfer_not_found');
    const stream = transferStreamId(keyOfRow(row.body));
    const { history } = await this.writes.execute(transfers, stream, { type: 'set_aside', ...decision }, context);
    const [decided] = this.readModels.fold(unmatchedTransfersReadModel, history);
    invariant(decided, `${transferId} has a document`);
    return decided;
  }
}

@CommandHandler(SetAsideAsAdministrator)
export class SetAsideAsAdministratorHandler implements ICommandHandler<SetAsideAsAdministrator> {
  constructor(private readonly writes: WritePath) {}

  /** Throws Refusal unmatched_transfer_not_found, unmatched_transfer_already_resolved or invalid_resolution. */
  async execute({ key, decision, context }: SetAsideAsAdministrator): Promise<void> {
    await this.writes.execute(transfers, transferStreamId(key), { type: 'set_aside', ...decision }, context);
  }
}
