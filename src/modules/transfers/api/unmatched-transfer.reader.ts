import { Inject, Injectable } from '@nestjs/common';
import { eachAtOnce } from '../../../kernel/at-once';
import { refuse } from '../../../vocabulary/errors';
import { invariant } from '../../../kernel/invariant';
import type { Mode } from '../../../vocabulary/modes';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { filterOf, parsePage, type Page } from '../../../platform/http/lists';
import { hasEnded } from '../../payment-intents/payment-intent.standing';
import { paymentIntentsReadModel } from '../../payment-intents/payment-intents.read-model';
import type { NamedTransaction } from '../commands/attribute-transaction.command';
import { ownAddresses, ownTransfer, type Reader } from '../own-transfer';
import { transferStreamId } from '../transfer.decider';
import { unmatchedTransfersReadModel, type UnmatchedTransferDocument } from '../unmatched-transfers.read-model';
import { presentUnmatchedTransfer } from './unmatched-transfer.presenter';
import type { UnmatchedTransferResource } from './unmatched-transfers.contract';

type Row = Document<UnmatchedTransferDocument>;

const URL_PATH = '/v1/unmatched_transfers';
/** Candidates that are looked at together. */
const AT_ONCE = 16;

/** The queue as a merchant sees it: the transfers to the addresses that the merchant has proved to be its own. */
@Injectable()
export class UnmatchedTransferReader {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  get(reader: Reader, id: string): Promise<UnmatchedTransferResource> {
    return this.found(reader, id, ({ open }) => open);
  }

  /** A transfer of the queue, or one that the merchant has set aside. */
  getOrSetAside(reader: Reader, id: string): Promise<UnmatchedTransferResource> {
    return this.found(reader, id, ({ open, status }) => open || status === 'set_aside');
  }

  /** The transaction of a transfer in the queue, as a naming of it tells it. The naming reads the transfer's stream. */
  async transactionOf(reader: Reader, id: string): Promise<NamedTransaction> {
    const row = await ownTransfer(this.readModels, reader, id);
    if (!row?.body.open) throw refuse('unmatched_transfer_not_found');
    return { text: row.body.tx_hash, logIndex: row.body.ordinal };
  }

  /** The transfer after the merchant's decision, which has taken it out of the queue. */
  async setAside(reader: Reader, row: Row) {
    if (row.body.status !== 'set_aside') throw refuse('unmatched_transfer_not_found');
    return this.presented(reader, row);
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
    return {
      object: 'list',
      url: URL_PATH,
      has_more: rows.length > page.limit,
      data: await this.present(reader, rows.slice(0, page.limit)),
    };
  }

  private async found(reader: Reader, id: string, isShown: (transfer: UnmatchedTransferDocument) => boolean) {
    const row = await ownTransfer(this.readModels, reader, id);
    const current = row && (await this.current(reader.mode, row));
    if (!current || !isShown(current.body)) throw refuse('unmatched_transfer_not_found');
    return this.presented(reader, current);
  }

  private async presented(reader: Reader, row: Row): Promise<UnmatchedTransferResource> {
    const [shown] = await this.present(reader, [row]);
    invariant(shown, 'each row is shown');
    return shown;
  }

  /** A candidate may have been canceled, or have failed, since the ranking of the transfer. */
  private async present({ mode, merchantId }: Reader, rows: readonly Row[]): Promise<UnmatchedTransferResource[]> {
    const ranked = rows.flatMap(({ body }) => body.candidates);
    const own = ranked.filter(candidate => candidate.merchant_id === merchantId);
    const ended = new Set<string>();
    await eachAtOnce([...new Set(own.map(({ payment_intent }) => payment_intent))], AT_ONCE, async id => {
      const payment = await this.readModels.get(paymentIntentsReadModel, mode, id);
      if (payment && hasEnded(payment.body.state)) ended.add(id);
    });
    return rows.map(({ id, body }) => {
      const candidates = body.candidates.filter(({ payment_intent }) => !ended.has(payment_intent));
      return presentUnmatchedTransfer(id, { ...body, candidates }, merchantId);
    });
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
    const { network_id: network, tx_hash: txHash, ordinal } = row.body;
    const streamId = transferStreamId({ network, txHash, ordinal });
    return this.readModels.freshen(unmatchedTransfersReadModel, mode, row, streamId);
  }
}

function newestFirst(one: Row, other: Row): number {
  const [a, b] = [keyOf(one), keyOf(other)];
  return a < b ? 1 : a > b ? -1 : 0;
}

function keyOf({ id, body }: Row): string {
  return `${body.created} ${id}`;
}
