import type { PaymentIntentEvent } from '../../../src/modules/payment-intents/payment-intent.events';
import { FindPaymentsHandler, LOOK_LIMIT } from '../../../src/modules/payment-intents/queries/find-payments.handler';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { isFiltered, parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import { termsOf } from '../../support/payment-terms';
import { MERCHANT, NOON, STRANGER, ToldPayments } from '../../support/told-payments';
import { BLOCK_HASH, detected, HISTORIES, PAYER, quote, rejected, held, reviewRejected, selected } from './histories';

const HOUR_MS = 3_600_000;
const HASH = 'ab'.repeat(32);

const told = new ToldPayments();
const handler = new FindPaymentsHandler(told.readModels);
const ids: Record<string, string> = {};

const createdWith = (change: Parameters<typeof termsOf>[0]): PaymentIntentEvent => ({
  type: 'PaymentIntentCreated',
  data: termsOf(change),
});

/** Payments an hour apart, the names in the order of their creation; a stranger and live mode have the same. */
beforeAll(async () => {
  const payments: readonly (readonly [string, readonly PaymentIntentEvent[]])[] = [
    ['created', [createdWith({ metadata: { order: 'A 7', shop: 'Berlin' }, description: 'Two tickets' })]],
    ['awaiting', HISTORIES.awaiting_payment],
    ['tron', [createdWith({ metadata: { shop: 'berlin ' } }), tronQuote()]],
    ['yen', [createdWith({ currency: 'JPY', currency_decimals: 0, amount_minor_units: '2500' })]],
    ['underpaid', HISTORIES.underpaid],
    ['rejected', [...HISTORIES.underpaid, reviewRejected]],
    ['blocked', [...HISTORIES.underpaid, held, rejected]],
    ['late', HISTORIES.paid_late],
    ['confirmed', HISTORIES.confirmed],
    ['linked', [createdWith({ payment_link: 'plink_00000000000000000000000001', metadata: { formula: 'a=b' } })]],
  ];
  for (const [index, [name, events]] of payments.entries()) {
    const atMs = NOON + index * HOUR_MS;
    ids[name] = await told.payment(events, { atMs });
    await told.payment(events, { atMs, merchant: STRANGER, place: 1 });
    await told.payment(events, { atMs, mode: 'live', place: 2 });
  }
  await told.project();
  // Every event comes twice.
  await told.project();
});

function tronQuote(): PaymentIntentEvent {
  const address = 'TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA';
  return { type: 'MethodSelected', data: { ...quote, token_id: 'usdt-tron', network_id: 'tron', address } };
}

async function found(query: Readonly<Record<string, string>>, merchant = MERCHANT) {
  const { filters, limit, startingAfter } = parsePaymentFilters(query);
  const answer = await handler.execute(new FindPayments(merchant, 'test', filters, limit, startingAfter));
  const names = answer.rows.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id);
  return { ...answer, names };
}

const NEWEST_FIRST = [
  'linked', 'confirmed', 'late', 'blocked', 'rejected', 'underpaid', 'yen', 'tron', 'awaiting', 'created',
]; // prettier-ignore

it.each([
  ['no filter', {}, NEWEST_FIRST],
  ['fields left empty', { status: '', amount: '', currency: '', search: '  ' }, NEWEST_FIRST],
  ['a status', { status: 'underpaid' }, ['blocked', 'rejected', 'underpaid']],
  ['what waits for a decision', { status: 'needs_decision' }, ['late', 'underpaid']],
  ['a token', { token_id: 'usdt-tron' }, ['tron']],
  ['a status and a token', { status: 'awaiting_payment', token_id: 'usdc-base' }, ['awaiting']],
  ['an amount', { amount: '2500', currency: 'jpy' }, ['yen']],
  ['an amount and a decision', { amount: '25', currency: 'EUR', status: 'needs_decision' }, ['late', 'underpaid']],
  ['a range', { created_from: at(1), created_to: at(3) }, ['yen', 'tron', 'awaiting']],
  ['a range and a token', { created_from: at(2), token_id: 'usdc-base', status: 'awaiting_payment' }, []],
] as const)('finds by %s, newest first', async (_, query, names) => {
  expect(await found(query)).toMatchObject({ names, next: null, isCut: false });
});

it('finds those under a hold, page by page', async () => {
  const shop = 'mch_00000000000000000000000008';
  const underHold: string[] = [];
  for (let place = 0; place < 3; place++)
    underHold.unshift(
      await told.payment([...HISTORIES.underpaid, held], { merchant: shop, atMs: NOON + place, place: 3 }),
    );
  await told.payment(HISTORIES.underpaid, { merchant: shop, place: 4 });
  await told.project();
  const first = await found({ status: 'held', limit: '2' }, shop);
  const rest = await found({ status: 'held', limit: '2', starting_after: String(first.next) }, shop);
  expect([first.names, rest.names]).toStrictEqual([underHold.slice(0, 2), underHold.slice(2)]);
});

type Searched = [what: string, search: () => string, names: string[], more?: Record<string, string>];
const searched: Searched[] = [
  ['its id', () => String(ids.yen), ['yen']],
  ['its link', () => 'plink_00000000000000000000000001', ['linked']],
  ['a hash', () => `0x${HASH}`, ['confirmed', 'late', 'blocked', 'rejected', 'underpaid'].sort()],
  ['a hash without its 0x, in capitals', () => HASH.toUpperCase(), ['late'], { status: 'paid_late' }],
  ['the payer', () => PAYER.toLowerCase(), ['confirmed'], { status: 'confirmed' }],
  [
    'the receiving address',
    () => quote.address.toUpperCase().replace('0X', '0x'),
    ['awaiting'],
    { status: 'awaiting_payment' },
  ],
  ['a pair of the metadata', () => 'shop=BERLIN', ['tron', 'created'].sort()],
  ['a value of the metadata', () => 'a 7', ['created']],
  ['a value with an equals sign', () => 'a=b', ['linked']],
  ['a part of a value, which is no match', () => 'Berl', []],
  ['the id of no payment', () => 'pi_00000000000000000000000000', []],
  ['a block hash, which is no transaction', () => BLOCK_HASH, []],
];

it.each(searched)('finds by %s', async (_, search, names, more = {}) => {
  expect([...(await found({ search: search(), ...more })).names].sort()).toStrictEqual([...names]);
});

it('is read page by page to the end, whatever is searched', async () => {
  const queries: readonly Record<string, string>[] = [
    {},
    { search: HASH },
    { token_id: 'usdc-base' },
    { status: 'underpaid' },
  ];
  for (const query of queries) {
    const whole = await found(query);
    const read: string[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 12; pages++) {
      const page: Awaited<ReturnType<typeof found>> = await found({ ...query, limit: '2', starting_after: next });
      read.push(...page.names);
      next = page.next;
    }
    expect(read).toStrictEqual(whole.names);
  }
});

it('shows another merchant and the other mode nothing of these', async () => {
  const mine = new Set(Object.values(ids));
  for (const search of ['', HASH, PAYER, 'shop=berlin', String(ids.yen)]) {
    const { rows } = await found({ search }, STRANGER);
    expect(rows.filter(({ id }) => mine.has(id))).toStrictEqual([]);
  }
  const live = new FindPayments(MERCHANT, 'live', parsePaymentFilters({ search: String(ids.yen) }).filters, 5, null);
  expect((await handler.execute(live)).rows).toStrictEqual([]);
  await expect(found({ starting_after: String(ids.yen) }, STRANGER)).rejects.toMatchObject({ code: 'invalid_cursor' });
});

it('shows what a line needs', async () => {
  const { rows } = await found({ status: 'paid_late' });
  expect(rows).toMatchObject([
    {
      ...{ status: 'paid_late', needsDecision: true, reviewReason: 'paid_late', isInferred: false, isHoldOpen: false },
      isRejected: false,
      ...{ amountMinorUnits: '2500', currency: 'EUR', currencyDecimals: 2, receivedMinorUnits: '2500' },
      ...{ receivedTokenAmount: '27.000120', asset: 'USDC', networkId: 'base', metadata: { order: '42' } },
    },
  ]);
});

it('looks at a bounded number of payments, and goes on where it ended', async () => {
  const many = new ToldPayments();
  for (let place = 0; place <= LOOK_LIMIT; place++)
    await many.payment([createdWith({}), selected, detected('tr_1', '1')], { atMs: NOON + place * 1_000 });
  await many.project();
  const bounded = new FindPaymentsHandler(many.readModels);
  const { filters: other } = parsePaymentFilters({ status: 'detected', token_id: 'usdt-tron' });
  const look = await bounded.execute(new FindPayments(MERCHANT, 'test', other, 20, null));
  expect(look).toMatchObject({ rows: [], isCut: true, next: expect.stringMatching(/^pi_/) as string });
  const rest = await bounded.execute(new FindPayments(MERCHANT, 'test', other, 20, look.next));
  expect(rest).toStrictEqual({ rows: [], next: null, isCut: false });
});

it.each([
  [{ status: 'paid' }, 'invalid_filter', 'status'],
  [{ token_id: 'USDC' }, 'invalid_filter', 'token_id'],
  [{ amount: '25' }, 'invalid_filter', 'currency'],
  [{ amount: '25.001', currency: 'EUR' }, 'invalid_filter', 'amount'],
  [{ amount: 'x', currency: 'JPY' }, 'invalid_filter', 'amount'],
  [{ created_from: 'yesterday' }, 'invalid_timestamp', 'created_from'],
  [{ created_from: at(2), created_to: at(1) }, 'invalid_range', 'created_from'],
  [{ order: '42' }, 'invalid_filter', 'order'],
  [{ limit: '101' }, 'invalid_limit', 'limit'],
] as const)('refuses %j', (query, code, param) => {
  expect(() => parsePaymentFilters(query)).toThrow(expect.objectContaining({ code, param }) as Error);
});

it('refuses a text that no search can find', () => {
  const search = 'x'.repeat(542);
  expect(() => parsePaymentFilters({ search })).toThrow(expect.objectContaining({ param: 'search' }) as Error);
});

it('counts the characters of a text, not its UTF-16 units', () => {
  const search = '🪙'.repeat(541);
  expect(parsePaymentFilters({ search }).filters.search).toBe(search);
  expect(() => parsePaymentFilters({ search: `${search}🪙` })).toThrow(
    expect.objectContaining({ param: 'search' }) as Error,
  );
});

it('knows whether anything is filtered at all', () => {
  expect(isFiltered(parsePaymentFilters({ limit: '5', status: '' }).filters)).toBe(false);
  expect(isFiltered(parsePaymentFilters({ search: '42' }).filters)).toBe(true);
});

function at(hours: number): string {
  return new Date(NOON + hours * HOUR_MS).toISOString();
}
