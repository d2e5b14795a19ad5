import { Inject, Injectable } from '@nestjs/common';
import { everyDocument } from '../../../kernel/every-document';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { listPage, parsePage, type ListEnvelope } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import type { Mode } from '../../../vocabulary/modes';
import { BooksStatement } from '../books-statement';
import { reconciliationsReadModel } from '../reconciliations.read-model';
import { dayRange, daysOfMonth } from '../utc-day';
import { presentReconciliation } from './reconciliation.presenter';
import type { ReconciliationResource } from './reconciliations.contract';

/** Days that are read at once for a statement. */
const PAGE = 500;

type Reader = { readonly merchantId: string; readonly mode: Mode };

/** The books, as their merchants read them. */
@Injectable()
export class ReconciliationReader {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  list(
    { mode, merchantId }: Reader,
    query: Readonly<Record<string, unknown>>,
  ): Promise<ListEnvelope<ReconciliationResource>> {
    const page = parsePage(query, ['wallet', 'from', 'to']);
    const { wallet, from, to } = page.filters;
    if (wallet !== undefined && !isId('wal', wallet))
      throw refuse('invalid_filter', { param: 'wallet', message: 'wallet takes an id that begins with wal_.' });
    const range = dayRange(from, to);
    const own = { mode, merchant_id: merchantId };
    const source = {
      ...(wallet === undefined
        ? { index: 'by_merchant', equals: own }
        : { index: 'by_wallet', equals: { ...own, wallet } }),
      ...(range && { range }),
      order: ['day', 'id'],
    };
    return listPage(this.readModels, reconciliationsReadModel, source, page, {
      url: '/v1/reconciliations',
      present: presentReconciliation,
    });
  }

  /** The statement of a month, such as `2026-11`. Throws Refusal invalid_timestamp. */
  async statement({ mode, merchantId }: Reader, month: string): Promise<BooksStatement> {
    const statement = new BooksStatement(month);
    const equals = { mode, merchant_id: merchantId };
    const query = { index: 'by_merchant', equals, range: daysOfMonth(month), limit: PAGE };
    for await (const { body } of everyDocument(this.readModels, reconciliationsReadModel, query)) statement.add(body);
    return statement;
  }
}
