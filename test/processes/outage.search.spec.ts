import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { TOKEN_IDS, TOKENS } from '../../src/vocabulary/tokens';
import {
  CancelPaymentIntent,
  CancelPaymentIntentHandler,
} from '../../src/modules/payment-intents/commands/cancel-payment-intent.command';
import {
  CreatePaymentIntent,
  CreatePaymentIntentHandler,
} from '../../src/modules/payment-intents/commands/create-payment-intent.command';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { webhookEndpoints } from '../../src/modules/webhooks/webhook-endpoint.decider';
import { QUOTE_TTL_MS } from '../../src/modules/payment-intents/quote-times';
import { EventStoreDbStore } from '../../src/platform/event-store/eventstoredb/eventstoredb-store';
import { searchSize } from '../levels/search-size';
import { FakeServer } from '../platform/eventstoredb/fake-server';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { sharedAddress } from '../simulation/setting';
import { simulatedContext } from '../simulation/shops';
import { PAYER } from '../support/payment-fixture';
import { DEFAULT_PAYMENT_LIMITS } from '../support/payment-limits';
import { embeddedEngine, OutageStage, seededEntropy, SETTING, type Dependency, type StageEngine } from './outage-stage';
import { termsOf } from '../support/payment-terms';
import { UNCOUNTED } from '../support/uncounted';
import { methodTermsNow } from '../support/payment-terms';

jest.setTimeout(120_000);

/** Far more than ten quick tries. */
const OUTAGE_MINUTES = searchSize('OUTAGE_MINUTES', { small: 5, full: 30 });
const OUTAGE_MS = OUTAGE_MINUTES * MINUTE_MS;
/** Longer than a quote stands. */
const LONG_OUTAGE_MS = Math.max(OUTAGE_MS, QUOTE_TTL_MS + MINUTE_MS);
/** The service goes on within half a minute of the outage's end, and catches up with the chain in another. */
const RECOVERY_MS = MINUTE_MS;

const ENGINES: Readonly<Record<string, (clock: SteppedClock) => StageEngine>> = {
  embedded: embeddedEngine,
  'eventstoredb over a fake server': clock => {
    const store = new EventStoreDbStore(new FakeServer().connect, clock, {}, seededEntropy());
    return { store, leave: () => undefined };
  },
};

/** The first so many of them. */
const TRIED = searchSize('OUTAGE_ENGINES', { small: 1, full: 2 });

/** Stores that are away while a payment is paid. */
const AWAY_AT_PAYMENT: readonly (readonly [string, readonly Dependency[]])[] = [
  ['stores are all', ['documents', 'log']],
  ['document store is', ['documents']],
  ['write path of the log is', ['appends']],
  ['log is', ['log']],
];
/** Parts that are away while a mail falls due, and the time after which the mail is sent. */
const AWAY_AT_MAIL: readonly (readonly [string, readonly Dependency[], number])[] = [
  ['document store is', ['documents'], RECOVERY_MS],
  // The third pause after a deferred attempt is of half an hour.
  ['mail server is', ['mail'], 10 * MINUTE_MS],
  ['document store and its mail server are', ['documents', 'mail'], RECOVERY_MS],
];
/** The first so many of each. */
const WAYS = searchSize('OUTAGE_WAYS', { small: 1, full: 4 });

describe.each(Object.keys(ENGINES).slice(0, TRIED))('a service on %s', name => {
  let stage: OutageStage;
  let engine: StageEngine;
  let requests = 0;

  beforeEach(async () => {
    const clock = new SteppedClock();
    engine = (ENGINES[name] as (typeof ENGINES)[string])(clock);
    stage = new OutageStage(clock, engine.store);
    stage.chain.mineEmpty(20);
    await stage.start();
    await stage.pass(MINUTE_MS);
  });
  afterEach(async () => {
    stage.end();
    await stage.stop();
    engine.leave();
  });

  const context = (role: 'api' | 'merchant') =>
    simulatedContext(`request-${++requests}`, role, 'test', stage.shop.merchantId, stage.wall.now());

  async function created(): Promise<string> {
    const { writes, secretBox } = stage.core;
    const handler = new CreatePaymentIntentHandler(writes, stage.rates, secretBox, UNCOUNTED);
    const texts = { metadata: {}, description: null, successUrl: null };
    const limits = DEFAULT_PAYMENT_LIMITS;
    const account = { enabledTokens: TOKEN_IDS, defaultSuccessUrl: null, isPaused: false, limits };
    const order = { amountMinorUnits: 2_500n, currency: 'EUR', ...texts, account };
    return (await stage.passing(handler.execute(new CreatePaymentIntent(order, context('api'))))).id;
  }

  /** A payment with the quote locked; answers the amount due. */
  async function quoted(paymentIntent: string): Promise<bigint> {
    const walletId = stage.shop.walletIds.base ?? '';
    const { core, shop } = stage;
    const methodTerms = await stage.passing(methodTermsNow(core.access, SETTING.mode, shop.merchantId));
    const { selection } = stage.payments;
    await stage.passing(selection.select(paymentIntent, 'usdc-base', walletId, methodTerms, context('api')));
    const { state } = await stage.passing(stage.core.writes.load(paymentIntents, SETTING.mode, paymentIntent));
    if (state.status !== 'awaiting_payment') throw new Error(`${paymentIntent} is ${state.status}`);
    return BigInt(state.quote.due_base_units);
  }

  function pay(valueBaseUnits: bigint): void {
    const token = TOKENS['usdc-base'];
    const transfer = { from: PAYER, to: sharedAddress('base'), contract: token.contract.test, valueBaseUnits };
    stage.chain.mine({ txHash: `0x${'ab'.repeat(32)}`, ...transfer });
  }

  function typesOf(payment: string): readonly string[] {
    return stage.received.filter(webhook => webhook.payment === payment).map(({ type }) => type);
  }

  it.each(AWAY_AT_PAYMENT.slice(0, WAYS))(
    'settles what is paid while its %s away for long, and tells of all in order',
    async (_, away) => {
      const paid = await created();
      const due = await quoted(paid);
      const canceled = await created();
      await stage.passing(
        new CancelPaymentIntentHandler(stage.core.writes).execute(
          new CancelPaymentIntent(canceled, context('merchant')),
        ),
      );
      stage.begin(...away);
      pay(due);
      await stage.pass(OUTAGE_MS);
      stage.end();
      await stage.pass(RECOVERY_MS);
      expect(typesOf(canceled)).toStrictEqual(['payment.created', 'payment.canceled']);
      const settled = ['payment.created', 'payment.detected', 'payment.confirming', 'payment.confirmed'];
      expect(typesOf(paid)).toStrictEqual(settled);
      expect(await stage.parked()).toBe(0);
    },
  );

  it('tells of what is written while only its document store is away', async () => {
    stage.begin('documents');
    const payments: string[] = [];
    for (let minute = 0; minute < OUTAGE_MINUTES; minute++) {
      await stage.pass(MINUTE_MS - SECOND_MS);
      if (minute % Math.ceil(OUTAGE_MINUTES / 5) !== 0) continue;
      // Creating reads the merchant's document, so these are the decisions of another process that has it at hand.
      const id = `pi_${String(minute).padStart(26, '0')}`;
      await stage.passing(
        stage.core.writes.execute(paymentIntents, id, { type: 'create', terms: termsOf() }, context('api')),
      );
      await stage.passing(stage.core.writes.execute(paymentIntents, id, { type: 'cancel' }, context('merchant')));
      payments.push(id);
    }
    expect(stage.received.filter(({ payment }) => payments.includes(payment))).toStrictEqual([]);
    stage.end();
    await stage.pass(RECOVERY_MS);
    // Webhooks have no order: after an outage each message comes again at a time of its own.
    for (const payment of payments)
      expect([...typesOf(payment)].sort()).toEqual(['payment.canceled', 'payment.created']);
    expect(stage.received).toHaveLength(2 * payments.length);
    expect(await stage.parked()).toBe(0);
  });

  it('meets what falls due while its stores are away: an expiry, the next attempt of a webhook', async () => {
    stage.statusCode = 500;
    const payment = await created();
    await quoted(payment);
    await stage.pass(10 * SECOND_MS);
    expect(typesOf(payment)).toStrictEqual(['payment.created']);
    stage.statusCode = 200;
    stage.begin('documents', 'log');
    await stage.pass(LONG_OUTAGE_MS);
    expect(stage.sent).toHaveLength(1);
    stage.end();
    await stage.pass(RECOVERY_MS);
    expect(typesOf(payment).slice().sort()).toStrictEqual(['payment.created', 'payment.created', 'payment.expired']);
    expect(await stage.parked()).toBe(0);
  });

  it('brings its read models up to the log again', async () => {
    stage.begin('documents', 'log');
    await stage.pass(OUTAGE_MS);
    stage.end();
    const payment = await created();
    await stage.pass(RECOVERY_MS);
    const statuses = await stage.passing(stage.runner.status());
    expect(statuses.map(({ state, lagMs }) => ({ state, lagMs }))).toStrictEqual(
      statuses.map(() => ({ state: 'live', lagMs: 0 })),
    );
    expect(typesOf(payment)).toStrictEqual(['payment.created']);
  });

  it.each(AWAY_AT_MAIL.slice(0, WAYS))(
    'sends one mail of what comes about while its %s away',
    async (_, away, recoveryMs) => {
      const [endpoint] = stage.shop.endpoints;
      const disable = { type: 'disable', reason: 'sustained_failure' } as const;
      const { writes } = stage.core;
      const mailsBefore = stage.mails.length;
      stage.begin(...away);
      await stage.passing(writes.execute(webhookEndpoints, endpoint?.id ?? '', disable, context('merchant')));
      await stage.pass(OUTAGE_MS);
      expect(stage.mails).toHaveLength(mailsBefore);
      stage.end();
      await stage.pass(recoveryMs);
      expect(stage.mails.slice(mailsBefore).map(({ subject }) => subject)).toStrictEqual([
        'A webhook endpoint was switched off (test mode)',
      ]);
      expect(await stage.parked()).toBe(0);
    },
  );
});
