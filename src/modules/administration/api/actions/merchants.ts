import type { Command } from '@nestjs/cqrs';
import type { AccountContext } from '../../../../kernel/command-context';
import { Reason } from '../../../../platform/http/fields/admin-fields';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import { CloseMerchant, DisableMerchant, EnableMerchant } from '../../../merchants/commands/disable-merchant.command';
import { merchantsReadModel, type MerchantDocument } from '../../../merchants/merchants.read-model';
import { adminAction, ApprovedBody, forMerchant, row, type ActionReads, type Aimed } from '../admin-action';

class ChangeMerchantDto extends ApprovedBody {
  @Reason()
  reason!: string;
}

type Status = MerchantDocument['status'];
type Change = {
  readonly to: Status;
  /** The statuses from which the change leads somewhere. */
  readonly from: readonly Status[];
  readonly does: string;
  readonly cannotUndo: string;
  readonly command: (reason: string, context: AccountContext) => Command<void>;
};

/** Throws Refusal merchant_not_found. */
export async function findMerchant({ find }: ActionReads, id: string): Promise<MerchantDocument> {
  const found = isId('mch', id) ? await find(merchantsReadModel, ['platform'], id) : null;
  if (!found) throw refuse('merchant_not_found');
  return found.body;
}

function changes(change: Change) {
  return {
    body: ChangeMerchantDto,
    refuses: ['merchant_not_found', 'invalid_reason', 'invalid_state_transition'],
    look: (reads: ActionReads, { target }: Aimed<object>) => findMerchant(reads, target),
    refuseUnfit: ({ status }: MerchantDocument) => {
      if (!change.from.includes(status))
        throw refuse('invalid_state_transition', { message: `The account is ${status}.` });
    },
    difference: ({ status }: MerchantDocument, { reason }: ChangeMerchantDto) => [
      row('status', status, change.to),
      row('reason', null, reason),
    ],
    words: ({ name }: MerchantDocument, { target }: Aimed<object>) => ({
      does: change.does,
      to: `Merchant ${target}: ${name}.`,
      cannotUndo: change.cannotUndo,
    }),
    command: ({
      target,
      body,
      execution,
    }: Parameters<Parameters<typeof adminAction<ChangeMerchantDto, MerchantDocument>>[0]['command']>[0]) =>
      change.command(body.reason, forMerchant(execution, target)),
  } as const;
}

export const suspendMerchant = adminAction({
  permission: 'merchant.suspend',
  path: 'merchants/:id/suspend',
  summary: 'Suspend a merchant',
  ...changes({
    to: 'disabled',
    from: ['active'],
    does: 'Stops the keys and the sessions of the merchant from the next request on. Payments under way are carried on.',
    cannotUndo: 'Requests that are refused meanwhile are lost to the merchant. The account can be resumed.',
    command: (reason, context) => new DisableMerchant(reason, context),
  }),
});

export const resumeMerchant = adminAction({
  permission: 'merchant.resume',
  path: 'merchants/:id/resume',
  summary: 'Resume a suspended merchant',
  ...changes({
    to: 'active',
    from: ['disabled'],
    does: 'Takes the suspension back: keys and people work again as before.',
    cannotUndo: 'The merchant takes payments from the next request on.',
    command: (reason, context) => new EnableMerchant(reason, context),
  }),
});

export const closeMerchant = adminAction({
  permission: 'merchant.close',
  path: 'merchants/:id/close',
  summary: 'Close a merchant for good',
  ...changes({
    to: 'closed',
    from: ['active', 'disabled'],
    does: 'Ends the account. It can be read, and makes nothing new. Payments under way are carried on.',
    cannotUndo: 'A closed account is never opened again.',
    command: (reason, context) => new CloseMerchant(reason, context),
  }),
});
