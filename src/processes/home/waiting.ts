import type { ListQuery } from '../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../kernel/ports/read-models';
import type { JsonObject } from '../../vocabulary/json';
import type { Mode } from '../../vocabulary/modes';
import type { Counted, Waiting } from '../../modules/home/queries/home-view';
import { paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import { provedAddresses } from '../../modules/transfers/own-transfer';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import type { HomeBelongings } from './home-belongings';
import { webhookEventsReadModel } from '../../modules/webhooks/webhook-events.read-model';

type Reader = { readonly merchantId: string; readonly mode: Mode };
type Belongings = Pick<HomeBelongings, 'wallets' | 'endpoints'>;
type Question = Pick<ListQuery, 'index' | 'equals' | 'omit'>;

/** More than that is a number that nobody works off in one sitting. */
const COUNTED = 99;
/** Members that no count needs; without them a payment's document is small. */
const UNCOUNTED = ['state', 'transfers'];

/** The things of a merchant that wait for a decision, each counted by one question to an index. */
export async function readWaiting(
  readModels: ReadModels,
  reader: Reader,
  { wallets, endpoints }: Belongings,
): Promise<Waiting> {
  const own = { merchant_id: reader.merchantId, mode: reader.mode };
  const payments = (index: string, equals: Question['equals']) =>
    counted(readModels, paymentIntentsReadModel, { index, equals: { ...own, ...equals }, omit: UNCOUNTED });
  const [underpaid, late, holds, unmatchedTransfers, exhaustedEvents] = await Promise.all([
    payments('by_decision_and_status', { needs_decision: true, status: 'underpaid' }),
    payments('by_decision_and_status', { needs_decision: true, status: 'paid_late' }),
    payments('by_open_hold', { hold_open: true }),
    unmatched(readModels, reader, wallets),
    counted(readModels, webhookEventsReadModel, { index: 'by_exhausted', equals: { ...own, exhausted: true } }),
  ]);
  const failing = endpoints.filter(({ body }) => body.disabled_reason === 'sustained_failure');
  return {
    ...{ underpaid, late, unmatchedTransfers, holds, exhaustedEvents },
    disabledEndpoints: countedUp(failing.length),
  };
}

async function unmatched(readModels: ReadModels, reader: Reader, wallets: Belongings['wallets']): Promise<Counted> {
  const counts = await Promise.all(
    provedAddresses(wallets).map(({ network_id, address }) => {
      const equals = { mode: reader.mode, network_id, address, open: true };
      return counted(readModels, unmatchedTransfersReadModel, { index: 'by_address', equals });
    }),
  );
  const sum = countedUp(counts.reduce((all, { count }) => all + count, 0));
  return { ...sum, isMore: sum.isMore || counts.some(({ isMore }) => isMore) };
}

async function counted<Body extends JsonObject>(
  readModels: Pick<ReadModels, 'list'>,
  readModel: ReadModel<Body>,
  question: Question,
): Promise<Counted> {
  return countedUp((await readModels.list(readModel, { ...question, limit: COUNTED + 1 })).length);
}

function countedUp(count: number): Counted {
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED };
}
