import { Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import { isId } from '../../../../vocabulary/ids';
import { DecideKybCase } from '../../../kyb/commands/decide-kyb-case.command';
import { kybCasesReadModel, type KybCaseDocument } from '../../../kyb/kyb-cases.read-model';
import { KYB_NOTE } from '../../../kyb/kyb-facts';
import { adminAction, ApprovedBody, row, type ActionReads, type Aimed } from '../admin-action';

const NOTE = { ...KYB_NOTE, description: 'The merchant reads it' } as const;

class ApproveKybCaseDto extends ApprovedBody {
  @Text(NOTE)
  note!: string;
}

class RejectKybCaseDto {
  @Text(NOTE)
  note!: string;
}

/** Throws Refusal kyb_case_not_found. */
async function findCase({ find }: ActionReads, { target }: Aimed<object>): Promise<KybCaseDocument> {
  const found = isId('kyb', target) ? await find(kybCasesReadModel, ['platform'], target) : null;
  if (!found) throw refuse('kyb_case_not_found');
  return found.body;
}

function refuseDecided({ status }: KybCaseDocument): void {
  if (status === 'approved' || status === 'rejected') throw refuse('kyb_case_already_decided');
  if (status === 'open')
    throw refuse('invalid_state_transition', { message: 'The merchant has not handed this case in yet.' });
}

function caseText({ target }: Aimed<object>, { merchant_id, business }: KybCaseDocument): string {
  const name = business === null ? 'a business without facts yet' : `${business.legal_name}, ${business.country}`;
  return `Case ${target} of ${merchant_id}: ${name}.`;
}

export const approveKybCase = adminAction({
  permission: 'kyb.approve',
  path: 'kyb_cases/:id/approve',
  summary: 'Approve a submitted case',
  body: ApproveKybCaseDto,
  refuses: ['kyb_case_not_found', 'kyb_case_already_decided', 'invalid_state_transition'],
  look: findCase,
  refuseUnfit: refuseDecided,
  difference: ({ status }, { note }) => [row('status', status, 'approved'), row('note', null, note)],
  words: (found, aimed) => ({
    does: 'Approves the case. Live mode takes payments of the merchant from the next request on.',
    to: caseText(aimed, found),
    cannotUndo: 'An approved case stays approved. A kill switch or a suspension stops the merchant again.',
  }),
  command: ({ target, body, execution }) => new DecideKybCase(target, 'approve', body.note, execution.context),
});

export const rejectKybCase = adminAction({
  permission: 'kyb.reject',
  path: 'kyb_cases/:id/reject',
  summary: 'Reject a submitted case',
  body: RejectKybCaseDto,
  refuses: ['kyb_case_not_found', 'kyb_case_already_decided', 'invalid_state_transition'],
  look: findCase,
  refuseUnfit: refuseDecided,
  difference: ({ status }, { note }) => [row('status', status, 'rejected'), row('note', null, note)],
  words: (found, aimed) => ({
    does: 'Rejects the case. Live mode stays stopped, and the merchant may open another case.',
    to: caseText(aimed, found),
    cannotUndo: 'A rejected case stays rejected, and the merchant reads the note.',
  }),
  command: ({ target, body, execution }) => new DecideKybCase(target, 'reject', body.note, execution.context),
});
