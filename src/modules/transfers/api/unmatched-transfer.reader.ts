import { Inject, Injectable } from '@nestjs/common';
import { eachAtOnce } from '../../../kernel/at-once';
import { refuse } from '../../../vocabulary/errors';
import type { Mode } from '../../../vocabulary/modes';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { filterOf, parsePage, type Page } from '../../../platform/http/lists';
import { hasEnded } from '../../payment-intents/payment-intent.standing';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../../payment-intents/payment-intents.read-model';
import type { PaymentRow } from '../../payment-intents/queries/find-payments.query';
import { presentRow } from '../../payment-intents/queries/payment-row';
import type { NamedTransaction } from '../commands/attribute-transaction.command';
import { ownAddresses, ownTransfer, type Reader } from '../own-transfer';
import { transferStreamId } from '../transfer.decider';
import {
  keyOfRow,
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../unmatched-transfers.read-model';
import { presentUnmatchedTransfer } from './unmatched-transfer.presenter';
import type { UnmatchedTransferResource } from './unmatched-transfers.contract';

type Row = Document<UnmatchedTransferDocument>;
type Candidates = ReadonlyMap<string, Document<PaymentIntentDocument>>;
type TransferWithPayments = {
  readonly transfer: UnmatchedTransferResource;
  readonly payments: Readonly<Record<string, PaymentRow>>;
};

const URL_PATH = '/v1/unmatched_transfers';
/** Candidates that are looked at together. */
const AT_ONCE = 16;

/** The queue as a merchant sees it: the transfers to the addresses that the merchant has proved to be its own. */
@Injectable()
export class UnmatchedTransferReader {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async get(reader: Reader, id: string) {
    return (await this.found(reader, await ownTransfer(this.readModels, reader, id), isOpen)).transfer;
  }

  /** The transfer after the merchant's decision, as the command has written it. */
  async setAside(reader: Reader, row: Row): Promise<UnmatchedTransferResource> {
    if (!isSetAside(row)) throw refuse('unmatched_transfer_not_found');
    return presented(row, await this.candidatesOf(reader, [row]), reader);
  }

  /** A transfer of the queue, or one that the merchant has set aside. With the candidates' payments by their ids. */
  async getWithPayments(reader: Reader, id: string): Promise<TransferWithPayments> {
    const row = await ownTransfer(this.readModels, reader, id);
    return this.found(reader, row, current => isOpen(current) || isSetAside(current));
  }

  /**
   * The transaction of an own transfer that is or was in the queue. The command refuses a transfer that has left the
   * queue. Throws Refusal unmatched_transfer_not_found for any other id.
   */
  async transactionOf(reader: Reader, id: string): Promise<NamedTransaction> {
    const row = await ownTransfer(this.readModels, reader, id);
    if (!row) throw refuse('unmatched_transfer_not_found');
    const key = keyOfRow(row.body);
    return { text: key.txHash, logIndex: key.ordinal, queued: key };
  }

  /** Merges the lists of all addresses by their common order; each list is read no further than the page goes. */
  async list(reader: Reader, query: Record<string, unknown>) {
    const page = parsePage(query, ['network_id']);
    const network = filterOf(page, 'network_id', NETWORK_IDS);
    const after = await this.cursor(reader, page);
    const addresses = await ownAddresses(this.readModels, reader, network);
    const lists = await Promise.all(
      addresses.map(({ network_id, address }) =>
        this.readModels.list(unmatchedTransfersReadModel, {
          index: 'by_address',
          equals: { mode: reader.mode, network_id, address, open: true },
          ...after,
          descending: true,
          limit: page.limit + 1,
        }),
      ),
    );
    const rows = lists.flat().sort(newestFirst);
    const shown = rows.slice(0, page.limit);
    const payments = await this.candidatesOf(reader, shown);
    return {
      object: 'list',
      url: URL_PATH,
      has_more: rows.length > page.limit,
      data: shown.map(row => presented(row, payments, reader)),
    };
  }

  private async found(reader: Reader, row: Row | null, isShown: (row: Row) => boolean): Promise<TransferWithPayments> {
    const current = row && (await this.current(reader.mode, row));
    if (!current || !isShown(current)) throw refuse('unmatched_transfer_not_found');
    const payments = await this.candidatesOf(reader, [current]);
    const shown = [...payments.values()].filter(({ body }) => !hasEnded(body.state)).map(presentRow);
    return {
      transfer: presented(current, payments, reader),
      payments: Object.fromEntries(shown.map(payment => [payment.id, payment])),
    };
  }

  /** The merchant's own payments among the candidates, by their ids. */
  private async candidatesOf({ mode, merchantId }: Reader, rows: readonly Row[]): Promise<Candidates> {
    const ranked = rows.flatMap(({ body }) => body.candidates);
    const own = ranked.filter(candidate => candidate.merchant_id === merchantId);
    const found = new Map<string, Document<PaymentIntentDocument>>();
    await eachAtOnce([...new Set(own.map(({ payment_intent }) => payment_intent))], AT_ONCE, async id => {
      const payment = await this.readModels.get(paymentIntentsReadModel, mode, id);
      if (payment) found.set(id, payment);
    });
    return found;
  }

  /** A row may leave the queue while a client reads its pages; the row's place in the order stays. */
  private async cursor(reader: Reader, { startingAfter }: Page) {
    if (startingAfter === null) return {};
    const row = await ownTransfer(this.readModels, reader, startingAfter);
    if (!row) throw refuse('invalid_cursor', { param: 'starting_after' });
    return { after: { created: row.body.created, id: row.id } };
  }

  /** The row as its stream tells it: a transfer that an answered call has taken out of the queue is not shown. */
  private current(mode: Mode, row: Row): Promise<Row | null> {
    return this.readModels.freshen(unmatchedTransfersReadModel, mode, row, transferStreamId(keyOfRow(row.body)));
  }
}

function isOpen({ body }: Row): boolean {
  return body.open;
}

function isSetAside({ body }: Row): boolean {
  return body.status === 'set_aside';
}

/** A candidate may have been canceled, or have failed, since the ranking of the transfer. */
function presented({ id, body }: Row, payments: Candidates, { merchantId }: Reader): UnmatchedTransferResource {
  const candidates = body.candidates.filter(({ payment_intent }) => {
    const payment = payments.get(payment_intent);
    return !payment || !hasEnded(payment.body.state);
  });
  return presentUnmatchedTransfer(id, { ...body, candidates }, merchantId);
}

function newestFirst(one: Row, other: Row): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  return a < b ? 1 : a > b ? -1 : 0;
}

function placeOf({ id, body }: Row): string {
  return `${body.created} ${id}`;
}
