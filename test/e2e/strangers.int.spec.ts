import { balances, balanceStreamId } from '../../src/modules/books/balance.decider';
import type { Mode } from '../../src/vocabulary/modes';
import { ApiStage, type ApiInstance } from '../support/api-stage';
import { bookFees } from '../support/booked-fees';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
/** The part of an answer that no two answers to the same question have in common. */
const CHANGING = /req_[0-9a-z]+/g;
const WALLET = `wal_${'1'.repeat(26)}`;

/** `X` stands for the object's id. */
const ROUTES = {
  link: [
    'GET /v1/payment_links/X',
    'POST /v1/payment_links/X/deactivate',
    'POST /v1/payment_links/X/payment_intents',
    'GET /v1/payment_links?starting_after=X',
    'GET /v1/payment_links?active=true&starting_after=X',
    'GET /v1/payment_intents?payment_link=X',
    'GET /v1/payment_intents?payment_link=X&status=created',
  ],
  draft: ['GET /v1/invoices/X', 'POST /v1/invoices/X/issue', 'POST /v1/invoices/X/void', 'POST /v1/invoices/X/send'],
  invoice: [
    'GET /v1/invoices/X',
    'POST /v1/invoices/X/issue',
    'POST /v1/invoices/X/void',
    'POST /v1/invoices/X/send',
    'GET /v1/invoices?starting_after=X',
    'GET /v1/invoices?status=open&starting_after=X',
    'GET /v1/payment_intents?invoice=X',
  ],
  payment: ['GET /v1/payment_intents/X', 'GET /v1/payment_intents?starting_after=X'],
  feeInvoice: ['GET /v1/fee_invoices/X', 'GET /v1/fee_invoices?starting_after=X'],
  fee: ['GET /v1/fees?starting_after=X'],
  wallet: ['GET /v1/reconciliations?wallet=X'],
  reconciliation: ['GET /v1/reconciliations?starting_after=X'],
} as const;
type Kind = keyof typeof ROUTES;

const CASES = (Object.keys(ROUTES) as Kind[]).flatMap(kind => ROUTES[kind].map(line => [line, kind] as const));

let stage: ApiStage;
let instance: ApiInstance;
let owner: StagedMerchant;
let stranger: StagedMerchant;
let ids: Readonly<Record<Kind, string>>;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance({ takesLive: true });
  [owner, stranger] = [await stage.register(instance), await stage.register(instance)];
  ids = await objectsOf(owner, 'test');
}, LIMIT_MS);
afterAll(() => stage.close());

/** One object of each kind. */
async function objectsOf(of: StagedMerchant, mode: Mode): Promise<Readonly<Record<Kind, string>>> {
  const key = of.registered.keys[mode];
  const made = async (path: string, body: object) => (await of.done(`POST /v1/${path}`, { body, key })).id as string;
  const link = await made('payment_links', { kind: 'fixed', currency: 'EUR', amount: '2500' });
  const payment = await made(`payment_links/${link}/payment_intents`, {});
  const [draft, invoice] = [
    await made('invoices', { currency: 'EUR', amount: '2500' }),
    await made('invoices', { currency: 'EUR', amount: '2500' }),
  ];
  await of.done(`POST /v1/invoices/${invoice}/issue`, { key });
  const { feeInvoice } = await bookFees(stage.core, mode, of.id);
  const place = { wallet_id: WALLET, token_id: 'usdc-base', day: '2026-11-01' } as const;
  const balance = { ...place, block_number: 7, block_hash: '0x7', balance_base_units: '100' };
  const context = await stage.core.commands.of('books').as('watcher', mode, of.id);
  await stage.core.writes.execute(balances, balanceStreamId(place), { type: 'observe', balance }, context);
  await stage.project();
  const first = async (list: string) => (await of.done(`GET /v1/${list}`, { key })).data[0].id as string;
  const [fee, reconciliation] = [await first('fees'), await first('reconciliations')];
  return { link, draft, invoice, payment, feeInvoice, fee, wallet: WALLET, reconciliation };
}

/** An id of the same kind that nothing ever had. */
function neverOf(kind: Kind): string {
  const [prefix = ''] = ids[kind].split('_');
  return `${prefix}_${'0'.repeat(25)}z`;
}

async function answerTo(line: string, id: string, of: StagedMerchant, key: string) {
  const ask = line.startsWith('POST') ? { body: {}, key } : { key };
  const { status, body, headers } = await of.call(line.replace('X', id), ask);
  const text = JSON.stringify(body).replaceAll(id, 'X').replaceAll(CHANGING, 'req_X');
  return { status, text, headers: Object.keys(headers).sort() };
}

describe.each([
  ['another merchant', () => [stranger, stranger.registered.keys.test] as const],
  ['another merchant in the other mode', () => [stranger, stranger.registered.keys.live] as const],
  ['the owner in the other mode', () => [owner, owner.registered.keys.live] as const],
])('to %s, an object is as one that never was', (_, askerOf) => {
  it.each(CASES)('%s', async (line, kind) => {
    const [asker, key] = askerOf();
    const before = await stage.core.store.lastPosition();
    const answer = await answerTo(line, ids[kind], asker, key);
    expect(answer).toStrictEqual(await answerTo(line, neverOf(kind), asker, key));
    expect(await stage.core.store.lastPosition()).toBe(before);
  });
});

it.each(CASES.filter(([line]) => line.startsWith('GET')))('the owner finds it: %s', async (line, kind) => {
  const { test: key } = owner.registered.keys;
  const found = await answerTo(line, ids[kind], owner, key);
  expect(found.status).toBe(200);
  expect(found.text).not.toBe((await answerTo(line, neverOf(kind), owner, key)).text);
});
