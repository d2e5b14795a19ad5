import { QueryBus } from '@nestjs/cqrs';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { operatorContext } from '../../../src/cli/operator-context';
import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import { amountSlotId, amountSlots } from '../../../src/modules/amount-slots/amount-slot.decider';
import { amountOfSlot, gridWindow } from '../../../src/modules/quotes/amount-grid';
import { wholeUnit } from '../../../src/vocabulary/money';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { kybCasesReadModel } from '../../../src/modules/kyb/kyb-cases.read-model';
import { GetHome } from '../../../src/modules/home/queries/get-home.query';
import type { HomeView } from '../../../src/modules/home/queries/home-view';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import type { JsonObject } from '../../../src/vocabulary/json';
import type { ReadModel } from '../../../src/kernel/ports/read-models';
import { webhookEndpointsReadModel } from '../../../src/modules/webhooks/webhook-endpoints.read-model';
import { webhookEventsReadModel } from '../../../src/modules/webhooks/webhook-events.read-model';
import { accountNow } from '../../support/payment-terms';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { bookFees } from '../../support/booked-fees';
import type { StagedMerchant } from '../../support/staged-merchant';
import { unmatchedTransfer } from '../../support/unmatched-transfer';

const NONE = { count: 0, isMore: false };
const ONE = { count: 1, isMore: false };

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let empty: HomeView;
let filled: HomeView;
let wallet: { readonly id: string; readonly address: string };

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  [merchant] = [await stage.register(instance), await stage.register(instance)];
  empty = await home();
  wallet = await merchant.registerWallet();
  await merchant.verifyWallet(wallet.id);
  await merchant.routeTo(wallet.id);
  await merchant.createEndpoint();
  await bookFees(stage.core, 'test', merchant.id);
  await unmatchedTransfer(instance, wallet.address);
  await reserveSlot();
  await stage.project();
  filled = await home();
});

afterAll(() => stage.close());

/** Takes one of the amounts near a price of ten tokens. */
async function reserveSlot(): Promise<void> {
  const { core } = stage;
  const token = TOKENS['usdc-base'];
  const price = 10n * wholeUnit(token.decimals);
  const slot = gridWindow(token, price).first;
  const reservation = {
    payment_intent: 'pi_1',
    merchant_id: merchant.id,
    wallet_id: wallet.id,
    amount_base_units: amountOfSlot(token, slot).toString(),
    price_base_units: price.toString(),
    reserved_until: isoTime(core.clock.now() + DAY_MS),
    purpose: 'quote',
  } as const;
  const context = {
    ...operatorContext({ ...core, user: 'alice' }),
    universe: 'test',
    merchantId: merchant.id,
  } as const;
  const id = amountSlotId('base', wallet.address, 'usdc-base', slot);
  await core.writes.execute(amountSlots, id, { type: 'reserve', reservation }, context);
}

async function home(): Promise<HomeView> {
  const { core } = stage;
  const { settings } = await accountNow(core.access, 'test', merchant.id);
  const enabledTokens = settings.enabled_tokens;
  const place = { timeZone: 'Europe/Paris', nowMs: core.clock.now() };
  const owner = { merchantId: merchant.id, mode: 'test', enabledTokens, ...place } as const;
  return instance.app.get(QueryBus).execute(new GetHome(owner));
}

/** Puts documents like those of another merchant or of this one. */
async function put<Body extends JsonObject>(readModel: ReadModel<Body>, documents: Readonly<Record<string, Body>>) {
  const collection = await stage.core.documents.open<Body>(collectionSpec(readModel));
  for (const [id, body] of Object.entries(documents)) await collection.put({ id, version: 1_000_000, body });
}

const doneSteps = ({ steps }: HomeView) => steps.filter(({ isDone }) => isDone).map(({ step }) => step);

it('shows an empty account with nothing done, and asks for nothing', () => {
  expect(empty.takings).toEqual([]);
  expect(empty.headroom).toEqual([]);
  expect(Object.values(empty.waiting)).toEqual(Array(6).fill(NONE));
  expect(empty.days).toHaveLength(14);
  expect(doneSteps(empty)).toEqual([]);
  expect(empty.steps.map(({ step }) => step)).toEqual(['wallet', 'route', 'payment', 'key', 'endpoint']);
});

it('asks for the verification of an account that has a case, until it is approved', async () => {
  const facts = {
    ...{ merchant_id: merchant.id, business: null, owners: [], documents: [] },
    ...{ submitted_at: null, note: null, decided_at: null, created: isoTime(0) },
  };
  const isDone = async (): Promise<boolean> => doneSteps(await home()).includes('verification');
  await put(kybCasesReadModel, { kyb_first: { ...facts, status: 'rejected' } });
  expect(await isDone()).toBe(false);
  await put(kybCasesReadModel, { kyb_second: { ...facts, status: 'approved', created: isoTime(1) } });
  expect(await isDone()).toBe(true);
});

it('ticks off the steps that are done', () => {
  expect(doneSteps(filled)).toEqual(['wallet', 'route', 'key', 'endpoint']);
});

it('sums what was taken today by currency', () => {
  const [euros] = filled.takings;
  expect([euros?.currency, euros?.days.at(-1)]).toEqual([
    'EUR',
    { day: filled.days.at(-1), payments: 1, minorUnits: 2_500n },
  ]);
});

it('tells how many amounts are free at the wallet of a route, after each reservation', () => {
  const [usdc] = filled.headroom;
  expect(usdc?.tokenId).toBe('usdc-base');
  const [small, usual, large] = usdc?.points ?? [];
  expect(usual).toEqual({ price: 100n, free: 4_999, of: 4_999 });
  expect(large).toEqual({ price: 1_000n, free: 49_999, of: 49_999 });
  expect([small?.of, small?.free]).toEqual([999, 998]);
});

it('tells how far each network of the mode is read', async () => {
  expect(filled.coverage.map(({ network, alarm }) => [network, alarm])).toEqual([
    ['base', null],
    ['bnb', null],
  ]);
  expect(filled.coverage.every(({ lagMinutes }) => lagMinutes === 0)).toBe(true);
});

it('counts the transfers that no payment took, at own wallets alone', () => {
  expect(filled.waiting.unmatchedTransfers).toEqual(ONE);
});

describe('what waits', () => {
  const own = () => ({ merchant_id: merchant.id, mode: 'test' });

  it('is counted by its kind, up to a limit, and of this merchant alone', async () => {
    const review = (count: number, body: object) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${JSON.stringify(body)}${index}`, { ...own(), ...body }]),
      );
    const [underpaid, late] = [
      { status: 'underpaid', needs_decision: true },
      { status: 'paid_late', needs_decision: true },
    ];
    await put(paymentIntentsReadModel, {
      ...review(2, { ...underpaid, hold_open: null }),
      ...review(120, { ...late, hold_open: null }),
      ...review(1, { ...underpaid, hold_open: true }),
      ...review(1, { ...underpaid, hold_open: null, mode: 'live' }),
      ...review(1, { ...underpaid, hold_open: true, merchant_id: 'mch_other' }),
    } as never);
    const { waiting } = await home();
    expect(waiting.underpaid).toEqual({ count: 3, isMore: false });
    expect(waiting.late).toEqual({ count: 99, isMore: true });
    expect(waiting.holds).toEqual(ONE);
  });

  it('has endpoints that failed for long, and events that reached nobody', async () => {
    const endpoint = {
      ...own(),
      url: 'https://shop.example',
      description: null,
      enabled_events: ['*'],
      created: '2026',
    };
    const facts = { ...endpoint, status: 'disabled', api_version: '2026-11-15', secrets: [], enabled_at: '2026' };
    await put(webhookEndpointsReadModel, {
      we_failing: { ...facts, disabled_reason: 'sustained_failure' },
      we_own: { ...facts, disabled_reason: 'disabled_by_merchant' },
    } as never);
    const event = { ...own(), type: 'payment.created', payment_intent: 'pi_1', payment_revision: 0, created: 1 };
    const row = { endpoint: 'we_1', attempts: 8, manual_attempts: 0, next_attempt_at: null };
    await put(webhookEventsReadModel, {
      evt_spent: { ...event, delivered: false, deliveries: [{ ...row, status: 'exhausted' }], exhausted: true },
      evt_pending: { ...event, delivered: false, deliveries: [{ ...row, status: 'pending' }], exhausted: null },
      evt_unheard: { ...event, delivered: false, deliveries: [], exhausted: null },
    } as never);
    const { waiting } = await home();
    expect(waiting.disabledEndpoints).toEqual(ONE);
    expect(waiting.exhaustedEvents).toEqual(ONE);
  });
});
