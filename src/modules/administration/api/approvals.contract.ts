import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  anyObject,
  arrayOf,
  constant,
  id,
  listOf,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { ruleCodes } from '../../../platform/http/openapi-errors';
import { ADMIN_PERMISSIONS, isFourEyes, type AdminPermission } from '../../../vocabulary/admin-roles';
import type { ShownStatus } from '../../approvals/approval.state';
import { APPROVAL_STATUSES } from '../../approvals/approval.transitions';
import { ADMIN_ACTIONS } from './admin-actions';

export const SHOWN_STATUSES = [...APPROVAL_STATUSES, 'expired'] as const satisfies readonly ShownStatus[];

const PERMISSIONS = Object.keys(ADMIN_PERMISSIONS) as readonly AdminPermission[];

const APPROVAL = resource('approval', 'A proposed action with the decision on it', {
  id: id('apr'),
  object: constant('approval'),
  permission: oneOfTexts(PERMISSIONS),
  target: text('The object of the action, by its id'),
  body: anyObject('The exact body that is carried out'),
  body_hash: text('SHA-256 of the body, as hex'),
  difference: arrayOf(record({ field: text(), before: nullable(text()), after: nullable(text()) })),
  status: oneOfTexts(SHOWN_STATUSES),
  proposed_by: text('The id of the administrator, or the account that ran the command line', 'cli:alice'),
  decided_by: nullable(id('adm')),
  note: nullable(text('The note on the decision')),
  decided_at: nullable(timestamp()),
  withdrawal_note: nullable(text('The note with which the proposer has withdrawn the action')),
  executed_by: nullable(id('adm')),
  executed_at: nullable(timestamp()),
  refusal: nullable(text('The code of the last execution that was handed back')),
  expires_at: timestamp('A day after the proposal'),
  created: timestamp(),
});

export type ApprovalResource = Answer<typeof APPROVAL>;

/** The refusals of all actions that can be proposed, and of the rules of their bodies. */
const PROPOSED_REFUSE = Object.values(ADMIN_ACTIONS)
  .filter(({ permission }) => isFourEyes(permission))
  .flatMap(({ refuses, body }) => [...refuses, ...ruleCodes(body), 'parameter_missing' as const]);

const NOTE_REFUSES = ['invalid_reason', 'unknown_action', 'action_not_pending', 'action_expired'] as const;

export const APPROVAL_OPERATIONS = {
  list: {
    id: 'listApprovals',
    summary: 'List the proposed actions, the newest first',
    answer: listOf(APPROVAL),
    paged: true,
    query: { status: oneOfTexts(SHOWN_STATUSES) },
    refuses: ['invalid_filter'],
  },
  get: {
    id: 'getApproval',
    summary: 'Retrieve a proposed action',
    answer: APPROVAL,
    refuses: ['unknown_action'],
  },
  propose: {
    id: 'proposeAction',
    summary: 'Propose an action of four eyes',
    description: 'The refusals of the action itself come too, so that nobody proposes it in vain.',
    answer: APPROVAL,
    refuses: ['unknown_action', 'second_approval_not_required', ...PROPOSED_REFUSE],
  },
  approve: {
    id: 'approveAction',
    summary: 'Approve an action that somebody else has proposed',
    answer: APPROVAL,
    refuses: [...NOTE_REFUSES, 'self_approval_forbidden', 'role_may_propose_only'],
  },
  deny: {
    id: 'denyAction',
    summary: 'Deny an action that somebody else has proposed',
    answer: APPROVAL,
    refuses: [...NOTE_REFUSES, 'self_approval_forbidden', 'role_may_propose_only'],
  },
  withdraw: {
    id: 'withdrawAction',
    summary: 'Withdraw an own proposal',
    answer: APPROVAL,
    refuses: NOTE_REFUSES,
  },
} as const satisfies OperationTable;
