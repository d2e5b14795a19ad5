import { reviews } from '../../../src/modules/administration/api/lists/payments';
import { FindPaymentsHandler } from '../../../src/modules/payment-intents/queries/find-payments.handler';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import { readWaiting } from '../../../src/processes/home/waiting';
import { WAITING_HISTORIES } from '../../modules/payment-intents/waiting-histories';
import { MERCHANT, NOON, STRANGER, ToldPayments } from '../../support/told-payments';

const told = new ToldPayments();
const handler = new FindPaymentsHandler(told.readModels);
const reads = { readModels: told.readModels, screeningSources: { live: [], test: [] } };
const names = new Map<string, string>();

/** A stranger, and live mode, have the same payments. */
beforeAll(async () => {
  for (const [place, { name, events }] of WAITING_HISTORIES.entries()) {
    const atMs = NOON + place;
    names.set(await told.payment(events, { atMs }), name);
    await told.payment(events, { atMs, merchant: STRANGER, place: 1 });
    await told.payment(events, { atMs, mode: 'live', place: 2 });
  }
  await told.project();
});

const namesWhere = (test: (history: (typeof WAITING_HISTORIES)[number]) => boolean) =>
  WAITING_HISTORIES.filter(test).map(({ name }) => name);

async function listed(status: string) {
  const { filters } = parsePaymentFilters({ status });
  const { rows } = await handler.execute(new FindPayments(MERCHANT, 'test', filters, 100, null));
  return rows.toReversed();
}

it('is counted at home exactly where a page lists it', async () => {
  const waiting = await readWaiting(
    told.readModels,
    { merchantId: MERCHANT, mode: 'test' },
    { wallets: [], endpoints: [] },
  );
  const toDecide = await listed('needs_decision');
  const open = await listed('held');
  const ofReason = (reason: string) => toDecide.filter(({ reviewReason }) => reviewReason === reason).length;
  expect([waiting.underpaid, waiting.late, waiting.holds].map(({ count }) => count)).toStrictEqual([
    ofReason('underpaid'),
    ofReason('paid_late'),
    open.length,
  ]);
  expect(toDecide.map(({ id }) => names.get(id))).toStrictEqual(namesWhere(({ decision }) => decision !== null));
  expect(open.map(({ id }) => names.get(id))).toStrictEqual(namesWhere(({ hold }) => hold === 'open'));
});

it('stands in the administrators’ queue exactly where its merchant is to decide', async () => {
  const { data } = await reviews.page(reads, { mode: 'test', merchant: MERCHANT, limit: '100' });
  expect(data.map(({ id }) => names.get(id)).toReversed()).toStrictEqual(
    namesWhere(({ decision }) => decision !== null),
  );
  for (const { id, reason, is_held } of data) {
    const history = WAITING_HISTORIES.find(({ name }) => name === names.get(id));
    expect([reason, is_held]).toStrictEqual([history?.decision, history?.hold === 'open']);
  }
});

it('is told by its id where it waits alone', async () => {
  for (const [id, name] of names) {
    const waits = namesWhere(({ decision }) => decision !== null).includes(name);
    const row = reviews.get(reads, id);
    await (waits
      ? expect(row).resolves.toMatchObject({ id })
      : expect(row).rejects.toMatchObject({ code: 'payment_not_resolvable' }));
  }
});
