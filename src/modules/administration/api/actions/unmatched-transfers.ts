import { Reason } from '../../../../platform/http/fields/admin-fields';
import { DecisionNote, OneOf, Text } from '../../../../platform/http/fields/text-fields';
import { exampleId } from '../../../../platform/http/openapi-schema';
import { refuse } from '../../../../vocabulary/errors';
import type { Mode } from '../../../../vocabulary/modes';
import { ReopenUnmatchedTransfer } from '../../../transfers/commands/reopen-unmatched-transfer.command';
import { ResolveUnmatchedTransfer } from '../../../transfers/commands/resolve-unmatched-transfer.command';
import { SetAsideAsAdministrator } from '../../../transfers/commands/set-aside-unmatched-transfer.command';
import { queuedTransfer } from '../../../transfers/own-transfer';
import { SET_ASIDE_OUTCOMES } from '../../../transfers/transfer.events';
import { keyOfRow, type UnmatchedTransferDocument } from '../../../transfers/unmatched-transfers.read-model';
import { adminAction, ApprovedBody, inMode, row, type ActionReads, type Aimed } from '../admin-action';
import { ALL_MODES } from '../find-payment';

class ResolveTransferDto extends ApprovedBody {
  @Text({ presence: 'optional', description: 'The payment that the transfer pays', example: exampleId('pi') })
  payment_intent?: string;

  @OneOf(SET_ASIDE_OUTCOMES, {
    presence: 'optional',
    code: 'invalid_resolution',
    description: 'Without a payment: the money was returned, or is kept',
  })
  outcome?: (typeof SET_ASIDE_OUTCOMES)[number];

  @DecisionNote()
  note!: string;
}

class ReopenTransferDto {
  @Reason()
  reason!: string;
}

type FoundTransfer = { readonly mode: Mode; readonly transfer: UnmatchedTransferDocument };

/** Throws Refusal unmatched_transfer_not_found. */
async function findTransfer({ readModels }: ActionReads, { target }: Aimed<object>): Promise<FoundTransfer> {
  const found = await queuedTransfer(readModels, ALL_MODES, target);
  if (!found) throw refuse('unmatched_transfer_not_found');
  return { mode: found.body.mode as Mode, transfer: found.body };
}

function transferText({ target }: Aimed<object>, { mode, transfer }: FoundTransfer): string {
  const { value_base_units, token_id, address } = transfer;
  return `Transfer ${target} of ${value_base_units} base units of ${token_id} to ${address}, ${mode} mode.`;
}

export const resolveTransfer = adminAction({
  permission: 'transfer.resolve',
  path: 'unmatched_transfers/:id/resolve',
  summary: 'Give an unmatched transfer to a payment, or take it out of the queue',
  body: ResolveTransferDto,
  refuses: [
    'unmatched_transfer_not_found', 'unmatched_transfer_already_resolved', 'invalid_resolution', 'attribution_failed',
    'payment_not_found', 'payment_not_quoted', 'payment_canceled', 'payment_failed', 'payment_expired',
    'payment_already_paid', 'attribution_already_exists', 'provider_unavailable', 'rate_limit',
  ], // prettier-ignore
  check: ({ payment_intent: payment, outcome }) => {
    if ((payment === undefined) === (outcome === undefined))
      throw refuse('invalid_resolution', { message: 'Name either a payment or an outcome.' });
  },
  look: findTransfer,
  refuseUnfit: ({ transfer }) => {
    if (!transfer.open) throw refuse('unmatched_transfer_already_resolved');
  },
  difference: ({ transfer }, { payment_intent: payment, outcome, note }) => [
    row('status', transfer.status, outcome === undefined ? 'attributed' : 'set_aside'),
    outcome === undefined
      ? row('payment_intent', transfer.payment_intent, payment ?? null)
      : row('outcome', transfer.set_aside?.outcome ?? null, outcome),
    row('note', null, note),
  ],
  words: (found, aimed) => ({
    does:
      aimed.body.outcome === undefined
        ? `Credits the transfer to the payment ${aimed.body.payment_intent}, which may be confirmed by it.`
        : 'Takes the transfer out of the queue. It counts for no payment.',
    to: transferText(aimed, found),
    cannotUndo: 'A transfer that a payment has counted is never given to another payment.',
  }),
  command: async ({ body, facts, execution }, reads) => {
    const context = await inMode(reads, execution, { ...facts, merchantId: null });
    const { payment_intent: payment, outcome, note } = body;
    return outcome === undefined
      ? new ResolveUnmatchedTransfer(keyOfRow(facts.transfer), payment ?? '', note, context)
      : new SetAsideAsAdministrator(keyOfRow(facts.transfer), { outcome, note }, context);
  },
});

export const reopenTransfer = adminAction({
  permission: 'transfer.reopen',
  path: 'unmatched_transfers/:id/reopen',
  summary: 'Put a transfer back into the queue',
  body: ReopenTransferDto,
  refuses: ['unmatched_transfer_not_found', 'unmatched_transfer_not_resolved', 'invalid_reason'],
  look: findTransfer,
  difference: ({ transfer }, { reason }) => [
    row('status', transfer.status, 'unmatched'),
    row('reason', transfer.reason, reason),
  ],
  words: (found, aimed) => ({
    does: 'Puts the transfer back into the queue, so that somebody decides anew.',
    to: transferText(aimed, found),
    cannotUndo: 'Nothing: the transfer can be resolved again.',
  }),
  command: async ({ body, facts, execution }, reads) => {
    const context = await inMode(reads, execution, { ...facts, merchantId: null });
    return new ReopenUnmatchedTransfer(keyOfRow(facts.transfer), body.reason, context);
  },
});
