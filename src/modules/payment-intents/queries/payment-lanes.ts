import { everyPage } from '../../../kernel/every-document';
import type { Document, ListQuery } from '../../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../../kernel/ports/read-models';
import { isId } from '../../../vocabulary/ids';
import type { JsonObject } from '../../../vocabulary/json';
import type { Mode } from '../../../vocabulary/modes';
import { addressKey, paymentIntentsReadModel, type PaymentIntentDocument } from '../payment-intents.read-model';
import { hashKey, pairKey, payerKey, searchKeysReadModel, valueKey } from '../search-keys.read-model';
import type { PaymentFilters } from './payment-filters';
import { UNSHOWN_IN_ROWS } from './payment-row';

type Payment = Document<PaymentIntentDocument>;
type Own = { readonly merchant_id: string; readonly mode: Mode };
type Place = { readonly after: Payment | null; readonly rows: number };
type Source<Body extends JsonObject> = Pick<ListQuery, 'index' | 'equals'> & { readonly readModel: ReadModel<Body> };

/** A lane gives payments in pages, the newest first, by one index. */
type Lane = (place: Place) => AsyncGenerator<readonly Payment[]>;

const TRANSACTION_HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const ADDRESS = /^(?:0x[0-9a-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/i;

/** The indexes by which a merchant's payments are found. */
export class PaymentLanes {
  constructor(
    private readonly readModels: ReadModels,
    private readonly own: Own,
  ) {}

  /** The lane with the fewest payments that the filters do not want. */
  async laneOf(filters: PaymentFilters): Promise<Lane> {
    const { status, tokenId, amount, range, search } = filters;
    if (search !== null) return this.searched(search, range);
    if (amount !== null)
      return this.byDocument('by_amount', { currency: amount.currency, amount_minor_units: amount.minorUnits }, range);
    if (status === 'needs_decision') return this.byDocument('by_decision', { needs_decision: true }, range);
    if (status === 'held') return this.byDocument('by_open_hold', { hold_open: true }, range);
    if (status !== null) return this.byDocument('by_status', { status }, range);
    if (tokenId !== null) return this.byDocument('by_token', { token_id: tokenId }, range);
    return this.byDocument('by_merchant', {}, range);
  }

  /** By an id, or else by the first kind of text under which the merchant has a payment. */
  private async searched(text: string, range: PaymentFilters['range']): Promise<Lane> {
    if (isId('pi', text)) return this.byId(text);
    if (isId('inv', text) || isId('plink', text)) return this.byDocument('by_origin', { origin: text }, range);
    const { own } = this;
    if (ADDRESS.test(text)) {
      const equals = { ...own, address_key: addressKey(text) };
      if (await this.hasAny({ readModel: paymentIntentsReadModel, index: 'by_address', equals }))
        return this.byDocument('by_address', { address_key: addressKey(text) }, range);
    }
    const keys = keysOf(text);
    for (const key of keys)
      if (await this.hasAny({ readModel: searchKeysReadModel, index: 'by_key', equals: { ...own, search_key: key } }))
        return this.byKey(key);
    return async function* () {};
  }

  private async hasAny<Body extends JsonObject>({ readModel, ...query }: Source<Body>): Promise<boolean> {
    return (await this.readModels.list(readModel, { ...query, limit: 1 })).length > 0;
  }

  private byId(id: string): Lane {
    const get = (): Promise<readonly Payment[]> => this.payments([id]);
    return async function* ({ after }) {
      if (after === null) yield await get();
    };
  }

  private byDocument(index: string, equals: ListQuery['equals'], range: PaymentFilters['range']): Lane {
    return ({ after, rows }) =>
      everyPage(this.readModels, paymentIntentsReadModel, {
        index,
        equals: { ...this.own, ...equals },
        ...this.rangeAndPlace(range, after),
        descending: true,
        limit: rows,
        omit: UNSHOWN_IN_ROWS,
      });
  }

  private byKey(key: string): Lane {
    const pages = ({ after, rows }: Place) =>
      everyPage(this.readModels, searchKeysReadModel, {
        index: 'by_key',
        equals: { ...this.own, search_key: key },
        ...(after && { after: { payment_intent: after.id, id: `${after.id}:${key}` } }),
        descending: true,
        limit: rows,
      });
    return place => this.read(pages(place), ({ body }) => body.payment_intent);
  }

  private rangeAndPlace(range: PaymentFilters['range'], after: Payment | null): Pick<ListQuery, 'range' | 'after'> {
    return { ...(range && { range }), ...(after && { after: { created: after.body.created, id: after.id } }) };
  }

  private async *read<Body extends JsonObject>(
    pages: AsyncGenerator<readonly Document<Body>[]>,
    idOf: (document: Document<Body>) => string,
  ): AsyncGenerator<readonly Payment[]> {
    for await (const page of pages) yield await this.payments(page.map(idOf));
  }

  /** The payments of a page are read at once: a page has few. */
  private async payments(ids: readonly string[]): Promise<readonly Payment[]> {
    const { merchant_id, mode } = this.own;
    const found = await Promise.all(ids.map(id => this.readModels.get(paymentIntentsReadModel, mode, id)));
    return found.filter(payment => payment?.body.merchant_id === merchant_id).filter(payment => payment !== null);
  }
}

/** The likeliest kind of text comes first. */
function keysOf(text: string): readonly string[] {
  const at = text.indexOf('=');
  return [
    ...(TRANSACTION_HASH.test(text) ? [hashKey(text)] : []),
    ...(ADDRESS.test(text) ? [payerKey(text)] : []),
    ...(at > 0 ? [pairKey(text.slice(0, at), text.slice(at + 1))] : []),
    valueKey(text),
  ];
}
