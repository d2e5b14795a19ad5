import { Inject, Injectable } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { getOwn, listOwn, type ListEnvelope } from '../../../platform/http/lists';
import type { Mode } from '../../../vocabulary/modes';
import { feeAccountId, feeAccountsReadModel } from '../fee-accounts.read-model';
import { feeEntriesReadModel } from '../fee-entries.read-model';
import { feeInvoicesReadModel } from '../fee-invoices.read-model';
import { presentBalance, presentFeeEntry, presentFeeInvoice } from './fee.presenter';
import type { FeeBalanceResource, FeeEntryResource, FeeInvoiceResource } from './fees.contract';

type Reader = { readonly merchantId: string; readonly mode: Mode };
type Query = Readonly<Record<string, unknown>>;

/** The fee ledger and the fee invoices, as their merchants read them. */
@Injectable()
export class FeeReader {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  entries(reader: Reader, query: Query): Promise<ListEnvelope<FeeEntryResource>> {
    const view = { url: '/v1/fees', present: presentFeeEntry };
    return listOwn(this.readModels, feeEntriesReadModel, reader, query, view);
  }

  async balance({ mode, merchantId }: Reader): Promise<FeeBalanceResource> {
    const account = await this.readModels.get(feeAccountsReadModel, mode, feeAccountId(mode, merchantId));
    return presentBalance(mode, account?.body);
  }

  invoices(reader: Reader, query: Query): Promise<ListEnvelope<FeeInvoiceResource>> {
    const view = { url: '/v1/fee_invoices', present: presentFeeInvoice };
    return listOwn(this.readModels, feeInvoicesReadModel, reader, query, view);
  }

  async invoice(reader: Reader, id: string): Promise<FeeInvoiceResource> {
    const asked = { prefix: 'finv', id, notFound: 'resource_missing' } as const;
    return presentFeeInvoice(await getOwn(this.readModels, feeInvoicesReadModel, reader, asked));
  }
}
