import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { keepsRule } from '../../vocabulary/text-rules';
import type { FeeInvoiceEvent, FeeInvoiceFacts } from './fee-invoice.events';
import { PAYMENT_REFERENCE } from './fee-texts';

export type FeeInvoice =
  | { readonly status: 'none' }
  | { readonly status: 'open'; readonly facts: FeeInvoiceFacts }
  | { readonly status: 'paid'; readonly facts: FeeInvoiceFacts; readonly reference: string };

type FeeInvoiceCommand =
  { readonly type: 'issue'; readonly facts: FeeInvoiceFacts } | { readonly type: 'pay'; readonly reference: string };

/** A fee invoice is issued once, and paid once: the same payment again changes nothing. */
function decide(command: FeeInvoiceCommand, state: FeeInvoice): readonly FeeInvoiceEvent[] {
  switch (command.type) {
    case 'issue':
      return state.status === 'none' ? [{ type: 'FeeInvoiceIssued', data: command.facts }] : [];
    case 'pay':
      return paid(command.reference.trim(), state);
    default:
      return unreachable(command);
  }
}

/** Throws Refusal resource_missing, parameter_invalid, or invalid_state_transition for another reference. */
function paid(reference: string, state: FeeInvoice): readonly FeeInvoiceEvent[] {
  if (state.status === 'none') throw refuse('resource_missing');
  if (!keepsRule(reference, PAYMENT_REFERENCE)) throw refuse('parameter_invalid', { param: 'reference' });
  const { currency, amount_minor_units } = state.facts;
  if (state.status === 'open') return [{ type: 'FeeInvoicePaid', data: { currency, amount_minor_units, reference } }];
  if (state.reference === reference) return [];
  const message = `The fee invoice was paid before, with the reference ${state.reference}.`;
  throw refuse('invalid_state_transition', { message });
}

function evolve(state: FeeInvoice, event: FeeInvoiceEvent): FeeInvoice {
  switch (event.type) {
    case 'FeeInvoiceIssued':
      return { status: 'open', facts: event.data };
    case 'FeeInvoicePaid':
      return state.status === 'open' ? { ...state, status: 'paid', reference: event.data.reference } : state;
    default:
      return unreachable(event);
  }
}

export const feeInvoices: Aggregate<FeeInvoice, FeeInvoiceCommand, FeeInvoiceEvent> = {
  category: 'fee_invoice',
  notFound: 'resource_missing',
  initial: { status: 'none' },
  decide,
  evolve,
};
