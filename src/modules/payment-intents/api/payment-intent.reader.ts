import { refuse } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import { streamName, type RecordedEvent } from '../../../kernel/event';
import { isId } from '../../../vocabulary/ids';
import { foldedDocument } from '../../../kernel/folded-document';
import type { EventStore } from '../../../kernel/ports/event-store';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { timeRange } from '../../../kernel/timestamp';
import type { NetworkId } from '../../../vocabulary/networks';
import { filterOf, listPage, parsePage } from '../../../platform/http/lists';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../payment-intents.read-model';
import { changesOf, paymentEventId } from '../queries/payment-history';
import type { PaymentIntentResource } from '../queries/payment-intent.answer';
import { paymentNamings } from '../queries/payment-namings';
import { presentPaymentIntent } from '../queries/payment-intent.presenter';
import { STATUSES } from '../payment-intent.transitions';

type Reader = {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The time of the request by the merchant's clock. */
  readonly now: number;
};

type ShownNamings = PaymentIntentResource['claims'];
type Filters = Readonly<Record<string, string | undefined>>;

const URL_PATH = '/v1/payment_intents';

/** The heads of networks as their watchers last saw them; null where no process has watched the network yet. */
type NetworkHeads = {
  headOf(mode: Mode, network: NetworkId): Promise<number | null>;
  /** Of all networks, by one question. */
  headsOf(mode: Mode): Promise<ReadonlyMap<NetworkId, number | null>>;
};

export class PaymentIntentReader {
  constructor(
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
    private readonly networks: NetworkHeads,
    private readonly checkoutUrl: string,
  ) {}

  async get(reader: Reader, id: string) {
    const payment = await this.visible(reader, id);
    return this.presented(reader, id, payment, await this.namings(reader.mode, id, payment));
  }

  /** The payment as a command of this merchant has just left it, by its whole history. */
  async present(reader: Reader, id: string, history: readonly RecordedEvent[]) {
    const payment = foldedDocument(this.readModels, paymentIntentsReadModel, id, history);
    // A payment that has just got its quote has no namings yet.
    const isNew = history.at(-1)?.type === 'MethodSelected';
    return this.presented(reader, id, payment.body, isNew ? [] : await this.namings(reader.mode, id, payment.body));
  }

  async list(reader: Reader, query: Record<string, unknown>) {
    const page = parsePage(query, ['status', 'created_from', 'created_to', 'invoice', 'payment_link']);
    const { created_from, created_to } = page.filters;
    const status = filterOf(page, 'status', STATUSES);
    const range = timeRange({ text: created_from, param: 'created_from' }, { text: created_to, param: 'created_to' });
    const own = { merchant_id: reader.merchantId, mode: reader.mode };
    const source = {
      ...indexOf(own, status, originOf(page.filters)),
      ...(range && { range }),
      order: ['created', 'id'],
    };
    const heads = await this.networks.headsOf(reader.mode);
    const nowMs = reader.now;
    return listPage(this.readModels, paymentIntentsReadModel, source, page, {
      url: URL_PATH,
      present: async ({ id, body }) => {
        const claims = await this.namings(reader.mode, id, body);
        const headNumber = body.network_id && (heads.get(body.network_id) ?? null);
        return presentPaymentIntent(id, body, { checkoutUrl: this.checkoutUrl, headNumber, nowMs, claims });
      },
    });
  }

  /**
   * One page of the payment's own history, oldest first. The whole history is read for each page: the words for an
   * event need facts of earlier ones.
   */
  async history(reader: Reader, id: string, query: Record<string, unknown>) {
    const { limit, startingAfter } = parsePage(query, []);
    const events = isId('pi', id) ? await this.store.readStream(streamName(reader.mode, 'payment_intent', id)) : [];
    if (events[0]?.metadata.merchant_id !== reader.merchantId) throw refuse('payment_not_found');
    const from = startingAfter === null ? 0 : events.findIndex(event => paymentEventId(event) === startingAfter) + 1;
    if (startingAfter !== null && from === 0) throw refuse('invalid_cursor', { param: 'starting_after' });
    const changes = changesOf(events);
    return {
      object: 'list',
      url: `${URL_PATH}/${id}/events`,
      has_more: events.length > from + limit,
      data: events.slice(from, from + limit).map((event, index) => ({
        id: paymentEventId(event),
        object: 'payment_intent_event',
        revision: from + index,
        type: changes[from + index]?.type,
        actor: event.metadata.actor.role,
        occurred_at: event.metadata.occurred_at,
        data: changes[from + index]?.data,
      })),
    };
  }

  private namings(mode: Mode, id: string, document: PaymentIntentDocument): Promise<ShownNamings> {
    return paymentNamings(this.readModels, mode, id, document);
  }

  private async presented({ mode, now }: Reader, id: string, doc: PaymentIntentDocument, claims: ShownNamings) {
    // The head tells the confirmations of transfers, and nothing else.
    const isHeadShown = doc.network_id !== null && doc.transfers.length > 0;
    const headNumber = isHeadShown ? await this.networks.headOf(mode, doc.network_id) : null;
    return presentPaymentIntent(id, doc, { checkoutUrl: this.checkoutUrl, headNumber, nowMs: now, claims });
  }

  private async visible(reader: Reader, id: string) {
    const found = isId('pi', id) ? await this.readModels.get(paymentIntentsReadModel, reader.mode, id) : null;
    const { merchantId, mode } = reader;
    if (found?.body.merchant_id !== merchantId || found.body.mode !== mode) throw refuse('payment_not_found');
    return found.body;
  }
}

/** The link or the invoice whose payments are asked for. A payment comes from one of them at most. */
function originOf({ invoice, payment_link: link }: Filters): string | undefined {
  if (invoice !== undefined && link !== undefined)
    throw refuse('invalid_filter', {
      param: 'payment_link',
      message: 'A payment comes from an invoice or from a link.',
    });
  for (const [param, prefix, text] of [
    ['invoice', 'inv', invoice],
    ['payment_link', 'plink', link],
  ] as const)
    if (text !== undefined && !isId(prefix, text))
      throw refuse('invalid_filter', { param, message: `${param} takes an id that begins with ${prefix}_.` });
  return invoice ?? link;
}

function indexOf(own: { readonly merchant_id: string; readonly mode: Mode }, status?: string, origin?: string) {
  const equals = { ...own, ...(origin !== undefined && { origin }), ...(status !== undefined && { status }) };
  const named = [...(origin === undefined ? [] : ['origin']), ...(status === undefined ? [] : ['status'])];
  return { index: named.length === 0 ? 'by_merchant' : `by_${named.join('_and_')}`, equals };
}
