import type { Document, ListQuery } from '../../../kernel/ports/documents';
import { isoTime } from '../../../kernel/clock';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { filterOf, listPage, parsePage, type ListEnvelope, type Page } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import { APPROVAL_TERM_MS, shownStatus } from '../../approvals/approval.state';
import type { ApprovalStatus } from '../../approvals/approval.transitions';
import type { ProposedAction } from '../../approvals/proposed-action';
import { SHOWN_STATUSES, type ApprovalResource } from './approvals.contract';
import { approvalsReadModel, type ApprovalDocument } from '../../approvals/approvals.read-model';

/** Reads approvals for administrators, with the status of the moment. */
export class ApprovalReader {
  constructor(private readonly readModels: ReadModels) {}

  /** Throws Refusal unknown_action. */
  async get(id: string, nowMs: number): Promise<ApprovalResource> {
    const found = isId('apr', id) ? await this.readModels.get(approvalsReadModel, 'platform', id) : null;
    if (!found) throw refuse('unknown_action');
    return present(found, nowMs);
  }

  /** The action itself, which never changes. Throws Refusal unknown_action. */
  async actionOf(id: string): Promise<ProposedAction> {
    const found = isId('apr', id) ? await this.readModels.stored(approvalsReadModel, ['platform'], id) : null;
    if (!found) throw refuse('unknown_action');
    const { permission, target, body } = found.body;
    return { permission, target, body };
  }

  /** The newest first. Throws the refusals of paging, and invalid_filter for an unknown status. */
  async list(query: Readonly<Record<string, unknown>>, nowMs: number): Promise<ListEnvelope<ApprovalResource>> {
    const page = parsePage(query, ['status']);
    const source = { universe: 'platform', order: ['created', 'id'], ...ofStatus(page, nowMs) } as const;
    return listPage(this.readModels, approvalsReadModel, source, page, {
      url: '/admin/approvals',
      present: document => present(document, nowMs),
    });
  }
}

/** An action lapses a fixed time after its proposal, so the time of the proposal tells which have lapsed. */
function ofStatus(page: Page<'status'>, nowMs: number): Pick<ListQuery, 'index' | 'equals' | 'range'> {
  const status = filterOf(page, 'status', SHOWN_STATUSES);
  const lapsedUpTo = nowMs - APPROVAL_TERM_MS;
  if (status === undefined) return { index: 'by_created', equals: {} };
  if (status === 'expired')
    return { index: 'by_lapsing', equals: { lapses: true }, range: { to: isoTime(lapsedUpTo) } };
  const range = isLapsing(status) ? { range: { from: isoTime(lapsedUpTo + 1) } } : {};
  return { index: 'by_status', equals: { status }, ...range };
}

function isLapsing(status: ApprovalStatus): boolean {
  return status === 'pending' || status === 'approved';
}

function present({ id, body }: Document<ApprovalDocument>, nowMs: number): ApprovalResource {
  const { status, lapses: _, ...facts } = body;
  return { id, object: 'approval', ...facts, status: shownStatus(status, facts.expires_at, nowMs) };
}
