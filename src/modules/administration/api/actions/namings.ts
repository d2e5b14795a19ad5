import { DecisionNote, OneOf, Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import type { Mode } from '../../../../vocabulary/modes';
import { ResolveNaming } from '../../../transfers/commands/resolve-naming.command';
import { NAMING_OUTCOMES, type NamingOutcome } from '../../../transfers/naming.events';
import { namingsReadModel, type NamingDocument } from '../../../transfers/namings.read-model';
import { invalidTxHash, transactionReference } from '../../../transfers/transaction-reference';
import { adminAction, inMode, row, type ActionReads, type Aimed } from '../admin-action';
import { ALL_MODES, findPayment, type FoundPayment } from '../find-payment';

class ResolveClaimDto {
  @OneOf(NAMING_OUTCOMES, { code: 'invalid_resolution' })
  outcome!: NamingOutcome;

  @Text({
    presence: 'optional',
    code: 'invalid_tx_hash',
    description: 'With attributed: the transaction on the chain, of which the payment has a transfer',
  })
  tx_hash?: string;

  @DecisionNote()
  note!: string;
}

type FoundNaming = { readonly mode: Mode; readonly naming: NamingDocument };

/** Throws Refusal resource_missing. */
async function findNaming({ find }: ActionReads, { target }: Aimed<object>): Promise<FoundNaming> {
  const found = isId('tc', target) ? await find(namingsReadModel, ALL_MODES, target) : null;
  if (!found) throw refuse('resource_missing', { message: 'No such claim was ever filed.' });
  return { mode: found.body.mode as Mode, naming: found.body };
}

/** The payment's transfer of that transaction. Throws Refusal invalid_tx_hash where the payment has none. */
function transferOf({ payment }: FoundPayment, txHash: string): string {
  const { network_id: network, transfers } = payment;
  const reference = network && transactionReference(network, txHash);
  if (reference?.kind !== 'transaction') throw invalidTxHash('Give the hash of the transaction on the chain.');
  const own = transfers.find(({ tx_hash, status }) => {
    return tx_hash === reference.txHash && status !== 'reorged' && status !== 'failed';
  });
  if (own) return own.transfer_id;
  throw invalidTxHash('The payment has no transfer of this transaction. Resolve the transfer in the queue first.');
}

export const resolveClaim = adminAction({
  permission: 'claim.resolve',
  path: 'claims/:id/resolve',
  summary: 'Decide what came of a transaction that was named for a payment',
  body: ResolveClaimDto,
  refuses: ['resource_missing', 'invalid_resolution', 'invalid_tx_hash', 'payment_not_found'],
  check: ({ outcome, tx_hash: txHash }) => {
    if ((outcome === 'attributed') === (txHash !== undefined)) return;
    throw refuse('invalid_tx_hash', { message: 'An attributed claim has the hash, and a refused one has none.' });
  },
  look: findNaming,
  refuseUnfit: ({ naming }) => {
    if (naming.status !== 'in_review')
      throw refuse('invalid_resolution', { message: `The claim is ${naming.status}.` });
  },
  difference: ({ naming }, { outcome, tx_hash: txHash, note }) => [
    row('status', naming.status, outcome),
    row('tx_hash', null, txHash ?? null),
    row('note', null, note),
  ],
  words: ({ mode, naming }, { body: { outcome } }) => ({
    does:
      outcome === 'attributed'
        ? 'Closes the claim by a transfer that the payment has. No money changes its payment by this.'
        : 'Closes the claim without a transfer. The payment stays as it is.',
    to: `The claim of ${naming.reference} for payment ${naming.payment_intent}, ${mode} mode.`,
    cannotUndo: 'A claim that is closed is never opened again.',
  }),
  command: async ({ facts: { mode, naming }, body: { outcome, tx_hash: txHash, note }, execution }, reads) => {
    const payment = await findPayment(reads, naming.payment_intent);
    const transferId = txHash === undefined ? null : transferOf(payment, txHash);
    const context = await inMode(reads, execution, { mode, merchantId: naming.merchant_id });
    return new ResolveNaming(naming.namings_id, naming.payment_intent, { outcome, transferId, note }, context);
  },
});
