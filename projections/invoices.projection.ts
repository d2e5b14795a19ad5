import type { RecordedEvent } from '../src/kernel/event';
import { deadlineClock, wallTime } from '../src/kernel/merchant-clocks';
import { streamId, type Projection, type ProjectionHandler } from '../src/kernel/projection';
import type { InvoiceDrafted, InvoiceEvent } from '../src/modules/invoices/invoice.events';
import { evolve, nextDeadline, type ExistingInvoice } from '../src/modules/invoices/invoice.state';
import { invoicesReadModel, type InvoiceDocument } from '../src/modules/invoices/invoices.read-model';

type Moments = Partial<Pick<InvoiceDocument, 'issued_at' | 'paid_at' | 'voided_at'>>;

/** Where an index needs a consequence of the state, the domain's functions compute it. */
function computed(state: ExistingInvoice, { metadata }: RecordedEvent) {
  const deadline = nextDeadline(state);
  return {
    status: state.status,
    state,
    awaits_deadline: deadline !== null,
    deadline_at: deadline ?? '',
    wall_deadline_at: deadline === null ? '' : wallTime(deadline, metadata),
  };
}

function folded<Event extends InvoiceEvent>(
  moments: (doc: InvoiceDocument, event: RecordedEvent<Event>) => Moments = () => ({}),
): ProjectionHandler<InvoiceDocument, Event> {
  return (doc, event) => {
    if (doc === null) return null;
    const state = evolve(doc.state, event);
    if (state.status === 'none') return doc;
    return { ...doc, ...moments(doc, event), ...computed(state, event) };
  };
}

export const invoicesProjection: Projection<InvoiceDocument, InvoiceEvent> = {
  ...invoicesReadModel,
  categories: ['invoice'],
  mirrors: true,
  key: streamId,
  on: {
    InvoiceDrafted: (doc, event: RecordedEvent<InvoiceDrafted>): InvoiceDocument | null => {
      const { metadata, data } = event;
      const state = evolve({ status: 'none' }, event);
      if (state.status === 'none') return doc;
      return {
        merchant_id: metadata.merchant_id ?? '',
        mode: metadata.mode,
        sequence: data.sequence,
        created: metadata.occurred_at,
        issued_at: null,
        paid_at: null,
        voided_at: null,
        clock: deadlineClock(metadata.mode, metadata.merchant_id),
        ...computed(state, event),
      };
    },
    InvoiceIssued: folded(({ issued_at }, { data }) => ({ issued_at: issued_at ?? data.issued_at })),
    InvoicePaid: folded((_, { metadata }) => ({ paid_at: metadata.occurred_at })),
    InvoicePaidAgain: folded(),
    InvoiceFellOverdue: folded(),
    InvoiceMailed: folded(),
    InvoiceVoided: folded((_, { metadata }) => ({ voided_at: metadata.occurred_at })),
  },
};
