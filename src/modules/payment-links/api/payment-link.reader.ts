import type { RecordedEvent } from '../../../kernel/event';
import { foldedDocument } from '../../../kernel/folded-document';
import type { Document } from '../../../kernel/ports/documents';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { Caller } from '../../../platform/http/caller';
import { filterOf, getOwn, listPage, parsePage } from '../../../platform/http/lists';
import { paymentLinksReadModel, type PaymentLinkDocument } from '../payment-links.read-model';
import type { PaymentLinkResource } from './payment-links.contract';

type Reader = Pick<Caller, 'merchantId' | 'mode'>;

/** Links as their merchants read them. */
export class PaymentLinkReader {
  constructor(
    private readonly readModels: ReadModels,
    /** The customers' page of a link is `{payUrl}/{id}`. */
    private readonly payUrl: string,
  ) {}

  async get(reader: Reader, id: string): Promise<PaymentLinkResource> {
    const named = { prefix: 'plink', id, notFound: 'resource_missing' } as const;
    return this.presented(await getOwn(this.readModels, paymentLinksReadModel, reader, named));
  }

  /** The link as a command of its merchant has just left it, by its newest events. */
  present(id: string, history: readonly RecordedEvent[]): PaymentLinkResource {
    return this.presented(foldedDocument(this.readModels, paymentLinksReadModel, id, history));
  }

  async list({ merchantId, mode }: Reader, query: Record<string, unknown>) {
    const page = parsePage(query, ['active']);
    const active = filterOf(page, 'active', ['true', 'false']);
    const own = { merchant_id: merchantId, mode };
    const source = {
      index: active === undefined ? 'by_merchant' : 'by_active',
      equals: { ...own, ...(active !== undefined && { active: active === 'true' }) },
      order: ['created', 'id'],
    };
    const present = (document: Document<PaymentLinkDocument>) => this.presented(document);
    return listPage(this.readModels, paymentLinksReadModel, source, page, { url: '/v1/payment_links', present });
  }

  private presented({ id, body }: Document<PaymentLinkDocument>): PaymentLinkResource {
    const { mode, created, active, link } = body;
    return {
      id,
      object: 'payment_link',
      mode,
      active,
      kind: link.kind,
      currency: link.currency,
      currency_decimals: link.currency_decimals,
      amount: link.amount_minor_units,
      min_amount: link.min_minor_units,
      max_amount: link.max_minor_units,
      description: link.description,
      metadata: link.metadata,
      success_url: link.success_url,
      max_uses: link.max_uses,
      expires_at: link.expires_at,
      use_count: link.use_count,
      url: `${this.payUrl}/${id}`,
      created,
      deactivated_at: link.deactivated_at,
    };
  }
}
