import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { KybBusiness, KybCaseEvent, KybDocumentFacts, KybOwner } from './kyb-case.events';
import { checkedBusiness, checkedNote, checkedOwners } from './kyb-facts';

export const MAX_KYB_DOCUMENTS = 20;
/** Documents that a case ever takes, with those that were removed: a case's stream stays short. */
const MAX_ADDED = 40;

type Case = {
  readonly status: 'open' | 'submitted' | 'approved' | 'rejected';
  readonly documents: readonly KybDocumentFacts[];
  readonly addedCount: number;
};

export type KybCase = { readonly status: 'none' } | Case;

type KybCaseCommand =
  | { readonly type: 'open'; readonly merchantId: string }
  | { readonly type: 'submit'; readonly business: KybBusiness; readonly owners: readonly KybOwner[] }
  | { readonly type: 'add_document'; readonly document: KybDocumentFacts }
  | { readonly type: 'remove_document'; readonly document: string }
  | { readonly type: 'approve' | 'reject'; readonly note: string };

function decide(command: KybCaseCommand, state: KybCase): readonly KybCaseEvent[] {
  if (command.type === 'open') {
    return state.status === 'none' ? [{ type: 'KybCaseOpened', data: { merchant_id: command.merchantId } }] : [];
  }
  switch (command.type) {
    case 'submit': {
      const data = { business: checkedBusiness(command.business), owners: checkedOwners(command.owners) };
      if (changeable(state).documents.length === 0) throw refuse('parameter_missing', { param: 'documents' });
      return [{ type: 'KybCaseSubmitted', data }];
    }
    case 'add_document': {
      const refusal = documentRefusal(state);
      if (refusal !== null) throw refusal;
      return [{ type: 'KybDocumentAdded', data: command.document }];
    }
    case 'remove_document':
      if (!changeable(state).documents.some(({ id }) => id === command.document))
        throw refuse('resource_missing', { param: 'document' });
      return [{ type: 'KybDocumentRemoved', data: { id: command.document } }];
    case 'approve':
    case 'reject':
      return [decided(command, undecided(state))];
    default:
      return unreachable(command);
  }
}

/** Throws Refusal kyb_case_not_found or kyb_case_already_decided. */
function undecided(state: KybCase): Case {
  if (state.status === 'open' || state.status === 'submitted') return state;
  throw unchangeable(state);
}

function changeable(state: KybCase): Case {
  if (state.status !== 'open') throw unchangeable(state);
  return state;
}

/** A submitted case stays as it is, so that nothing is approved that no reviewer has seen. */
function unchangeable({ status }: KybCase): Refusal {
  if (status === 'none') return refuse('kyb_case_not_found');
  if (status === 'submitted') return unfit('This case is under review, and stays as it was submitted.');
  return refuse('kyb_case_already_decided');
}

/** The refusal of a case that takes no document more; null for one that takes it. */
export function documentRefusal(state: KybCase): Refusal | null {
  if (state.status !== 'open') return unchangeable(state);
  const { documents, addedCount } = state;
  if (documents.length >= MAX_KYB_DOCUMENTS)
    return unfit(`A case has at most ${MAX_KYB_DOCUMENTS} documents: remove one first.`);
  if (addedCount < MAX_ADDED) return null;
  return unfit(`A case takes ${MAX_ADDED} documents in all, with those that were removed.`);
}

function decided(
  { type, note }: { readonly type: 'approve' | 'reject'; readonly note: string },
  { status }: Case,
): KybCaseEvent {
  const data = { note: checkedNote(note) };
  if (status !== 'submitted') throw unfit('The merchant has not submitted this case yet.');
  return type === 'approve' ? { type: 'KybApproved', data } : { type: 'KybRejected', data };
}

function unfit(message: string): Refusal {
  return refuse('invalid_state_transition', { message });
}

function evolve(state: KybCase, event: KybCaseEvent): KybCase {
  if (event.type === 'KybCaseOpened') return { status: 'open', documents: [], addedCount: 0 };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'KybCaseSubmitted':
      return { ...state, status: 'submitted' };
    case 'KybDocumentAdded':
      return { ...state, documents: [...state.documents, event.data], addedCount: state.addedCount + 1 };
    case 'KybDocumentRemoved':
      return { ...state, documents: state.documents.filter(({ id }) => id !== event.data.id) };
    case 'KybApproved':
      return { ...state, status: 'approved' };
    case 'KybRejected':
      return { ...state, status: 'rejected' };
    default:
      return unreachable(event);
  }
}

export const kybCases: Aggregate<KybCase, KybCaseCommand, KybCaseEvent> = {
  category: 'kyb_case',
  notFound: 'kyb_case_not_found',
  initial: { status: 'none' },
  decide,
  evolve,
};
