import { Reason } from '../../../../platform/http/fields/admin-fields';
import { refuse } from '../../../../vocabulary/errors';
import {
  deferredTransfersReadModel,
  type DeferredTransferDocument,
} from '../../../coverage/deferred-transfers.read-model';
import { GiveUpDeferredTransfer } from '../../../coverage/give-up-deferred-transfer.command';
import { adminAction, ApprovedBody, inMode, row, type ActionReads } from '../admin-action';
import { placeIn, type PlaceInLog } from '../place-in-log';

class GiveUpDeferredTransferDto extends ApprovedBody {
  @Reason()
  reason!: string;
}

type Found = PlaceInLog & { readonly transfer: DeferredTransferDocument };

/** A deferral is named by its stream, as `quittance coverage` shows it. Throws Refusal resource_missing. */
async function findDeferral({ find }: ActionReads, name: string): Promise<Found> {
  const place = placeIn('deferred_transfer', name);
  const found = place && (await find(deferredTransfersReadModel, [place.mode], place.stream));
  if (!place || !found) throw refuse('resource_missing', { message: 'No such transfer was deferred.' });
  return { ...place, transfer: found.body };
}

export const giveUpDeferredTransfer = adminAction({
  permission: 'coverage.close',
  path: 'deferred_transfers/:id/give_up',
  summary: 'Give up a transfer that could not be placed',
  body: GiveUpDeferredTransferDto,
  refuses: ['resource_missing', 'invalid_reason', 'invalid_state_transition'],
  isTarget: target => placeIn('deferred_transfer', target) !== null,
  look: (reads, { target }) => findDeferral(reads, target),
  refuseUnfit: ({ transfer: { status } }) => {
    if (status !== 'open') throw refuse('invalid_state_transition', { message: `The transfer is ${status} already.` });
  },
  difference: ({ transfer }, { reason }) => [row('status', transfer.status, 'given_up'), row('reason', null, reason)],
  words: ({ mode, transfer: { tx_hash, network_id: network } }) => ({
    does: 'Puts the transfer into the unmatched queue, and lets the deadlines pass that wait for it.',
    to: `A transfer of the transaction ${tx_hash} on ${network}, ${mode} mode.`,
    cannotUndo: 'The transfer finds no payment by itself any more. People decide on it in the queue.',
  }),
  command: async ({ facts, body, execution }, reads) => {
    const context = await inMode(reads, execution, { ...facts, merchantId: null });
    return new GiveUpDeferredTransfer(facts.stream, body.reason, context);
  },
});
