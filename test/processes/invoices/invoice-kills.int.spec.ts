import type { MerchantContext } from '../../../src/kernel/command-context';
import { invoices } from '../../../src/modules/invoices/invoice.decider';
import type { InvoiceIssued } from '../../../src/modules/invoices/invoice.events';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { RecordedEvent } from '../../../src/kernel/event';
import { isoTime } from '../../../src/kernel/clock';
import { firstBrokenLink } from '../../../src/kernel/hash-chain-check';
import { ManualClock } from '../../support/manual-clock';
import { Killed } from '../../simulation/faulty-store';
import { PaymentFixture } from '../../support/payment-fixture';
import { DyingStore } from '../matching/dying-store';
import { InvoiceProcess } from './invoice-stage';

const HASH = `0x${'11'.repeat(32)}`;

let store: DyingStore;
let fixture: PaymentFixture;

beforeEach(() => {
  store = new DyingStore();
  fixture = new PaymentFixture({ store });
});

/** A process that has just started: it remembers no stream. */
const process = () => new InvoiceProcess(store, fixture.clock);
const typesOf = async (stream: string) => (await store.readStream(stream)).map(({ type }) => type);
const seriesOf = ({ merchantId }: MerchantContext) => store.readStream(`test.invoice_series-${merchantId}`);
const merchant = (): MerchantContext => ({ ...fixture.context(), actor: { role: 'merchant', type: 'user', id: 'u' } });

/** Runs the work until its process dies after the event, and starts anew. */
async function dyingAt(type: string, work: () => Promise<unknown>): Promise<void> {
  store.diesAt = type;
  await expect(work()).rejects.toBeInstanceOf(Killed);
  store.diesAt = null;
  store.revive();
}

/** An invoice whose process died before it made the payment. */
async function cutOff() {
  const id = await process().draft(fixture.context());
  const context = fixture.context();
  await dyingAt('InvoiceIssued', () => process().issue(id, context));
  const [, event] = await store.readStream(`test.invoice-${id}`);
  return { id, context, payment: (event?.data as { payment_intent: string }).payment_intent };
}

describe('a draft that was cut off behind its number', () => {
  it('is finished by the group, and twice is once', async () => {
    const context = fixture.context();
    await dyingAt('InvoiceNumberAllocated', () => process().draft({ ...context, isFirstTry: true }));
    const [event] = await seriesOf(context);
    const id = (event?.data as { invoice: string }).invoice;
    expect(await typesOf(`test.invoice-${id}`)).toEqual([]);
    await process().catchUp();
    await process().catchUp();
    const [drafted] = await store.readStream(`test.invoice-${id}`);
    expect(await typesOf(`test.invoice-${id}`)).toEqual(['InvoiceDrafted']);
    // Both would have recorded the same actor and the same moment.
    const { actor, occurred_at } = event?.metadata ?? {};
    expect(drafted?.metadata).toMatchObject({ actor, occurred_at, causation_id: event?.id });
  });

  it('is found by a later try of its command, however many numbers were taken since', async () => {
    const context = fixture.context();
    await dyingAt('InvoiceNumberAllocated', () => process().draft({ ...context, isFirstTry: true }));
    // More than the write path reads of a series.
    for (let count = 0; count < 250; count++) await process().draft({ ...fixture.context(), isFirstTry: true });
    const id = await process().draft({ ...context, isFirstTry: false });
    const events = await seriesOf(context);
    expect(events).toHaveLength(251);
    expect((events[0]?.data as { invoice: string }).invoice).toBe(id);
    expect(await typesOf(`test.invoice-${id}`)).toEqual(['InvoiceDrafted']);
    expect(await process().draft({ ...context, isFirstTry: false })).toBe(id);
    expect(await seriesOf(context)).toHaveLength(251);
  });

  it('takes a number at a later try where the first took none', async () => {
    const context = fixture.context();
    for (let count = 0; count < 120; count++) await process().draft({ ...fixture.context(), isFirstTry: true });
    store.killAfter({ afterAppends: 0, isWritten: false });
    await expect(process().draft({ ...context, isFirstTry: true })).rejects.toBeInstanceOf(Killed);
    store.revive();
    await process().draft({ ...context, isFirstTry: false });
    expect(await seriesOf(context)).toHaveLength(121);
  });

  it('looks for its number no further back than its first try', async () => {
    for (let count = 0; count < 250; count++) await process().draft({ ...fixture.context(), isFirstTry: true });
    fixture.clock.timeMs += 60 * 60_000;
    const reads = jest.spyOn(store, 'readStream');
    await process().draft({ ...fixture.context(), isFirstTry: false });
    const ofSeries = reads.mock.calls.filter(([stream]) => stream.includes('invoice_series'));
    expect(ofSeries).toHaveLength(1);
    reads.mockRestore();
  });
});

describe('a request and the group, which write at once', () => {
  it.each([0, 1])('make one payment, and leave every hash as it was recorded: writer %d goes on', async next => {
    // Clocks differ, and so would the hashes of two records of one event.
    const ahead = new ManualClock(fixture.clock.timeMs + 7);
    const writers = [process(), new InvoiceProcess(store, ahead)] as const;
    const id = await writers[0].draft({ ...fixture.context(), isFirstTry: true });
    const context = fixture.context();
    await dyingAt('InvoiceIssued', () => process().issue(id, context));
    const [, event] = await store.readStream(`test.invoice-${id}`);
    const issued = event as RecordedEvent<InvoiceIssued>;
    const { payment_intent: payment } = issued.data;
    // Both have read the payment's stream before either writes to it.
    await Promise.all([
      writers[0].payments.make(issued, id, context.commandId),
      writers[1].group.handle({ event: issued, retries: 0 }),
    ]);
    // The command decides on the stream as its process remembers it.
    const canceling = { ...merchant(), isFirstTry: true };
    await writers[next as 0 | 1].writes.execute(paymentIntents, payment, { type: 'cancel' }, canceling);
    const events = await store.readStream(`test.payment_intent-${payment}`);
    expect(events.map(({ type }) => type)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
    expect(firstBrokenLink(events)).toBeNull();
  });

  it('make one payment where the group is faster than a first try', async () => {
    const id = await process().draft({ ...fixture.context(), isFirstTry: true });
    const append = store.append.bind(store);
    const appends = jest.spyOn(store, 'append').mockImplementationOnce(async (...appended) => {
      const answer = await append(...appended);
      await process().catchUp();
      return answer;
    });
    const payment = await process().issue(id, { ...fixture.context(), isFirstTry: true });
    appends.mockRestore();
    const events = await store.readStream(`test.payment_intent-${payment}`);
    expect(events.map(({ type }) => type)).toEqual(['PaymentIntentCreated']);
    expect(firstBrokenLink(events)).toBeNull();
  });
});

describe('an issue in a pause of live mode', () => {
  it('records nothing, and finishes an issue from before', async () => {
    const live = { ...fixture.context(), universe: 'live' } as const;
    const pauses = [{ fee_invoice: 'finv_1', pauses_at: isoTime(fixture.clock.timeMs) }];
    const id = await process().draft(live);
    const paused = process();
    paused.pauses = pauses;
    await expect(paused.issue(id, { ...live, commandId: 'one' })).rejects.toMatchObject({
      code: 'payments_paused',
    });
    expect(await typesOf(`live.invoice-${id}`)).toEqual(['InvoiceDrafted']);
    await dyingAt('InvoiceIssued', () => process().issue(id, { ...live, commandId: 'two' }));
    const payment = await paused.issue(id, { ...live, commandId: 'two' });
    expect(await typesOf(`live.payment_intent-${payment}`)).toEqual(['PaymentIntentCreated']);
  });
});

describe('an issue that was cut off behind its event', () => {
  it('is finished by the group', async () => {
    const { id, payment } = await cutOff();
    expect(await typesOf(`test.payment_intent-${payment}`)).toEqual([]);
    await process().catchUp();
    await process().catchUp();
    expect(await typesOf(`test.payment_intent-${payment}`)).toEqual(['PaymentIntentCreated']);
    expect(await typesOf(`test.invoice-${id}`)).toEqual(['InvoiceDrafted', 'InvoiceIssued']);
  });

  it('is finished by a later try of its command, before or after the group', async () => {
    for (const isGroupFirst of [false, true]) {
      const { id, context, payment } = await cutOff();
      if (isGroupFirst) await process().catchUp();
      expect(await process().issue(id, context)).toBe(payment);
      await process().catchUp();
      expect(await typesOf(`test.payment_intent-${payment}`)).toEqual(['PaymentIntentCreated']);
    }
  });

  it('is one payment also where another request asks meanwhile', async () => {
    const { id, payment } = await cutOff();
    const refused = { code: 'invalid_state_transition' };
    await expect(process().issue(id, fixture.context())).rejects.toMatchObject(refused);
    await process().catchUp();
    expect(await typesOf(`test.payment_intent-${payment}`)).toEqual(['PaymentIntentCreated']);
  });

  it('is voided with its payment, which is made and canceled', async () => {
    const { id, payment } = await cutOff();
    await process().payments.void(id, merchant());
    await process().catchUp();
    expect(await typesOf(`test.payment_intent-${payment}`)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
    expect(await typesOf(`test.invoice-${id}`)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceVoided']);
  });
});

describe('a void by a process that remembers no stream', () => {
  const issued = async () => {
    const id = await process().draft(fixture.context());
    return { id, payment: await process().issue(id, fixture.context()) };
  };
  const typesOfPayment = (payment: string) => typesOf(`test.payment_intent-${payment}`);

  it.each([
    ['made', issued],
    ['not made yet', cutOff],
  ])('reads a payment once that was %s', async (_, given) => {
    const { id, payment } = await given();
    const reads = jest.spyOn(store, 'readStream');
    await process().payments.void(id, merchant());
    const ofPayment = reads.mock.calls.filter(([stream]) => stream.endsWith(payment));
    reads.mockRestore();
    expect(ofPayment).toHaveLength(1);
    expect(await typesOfPayment(payment)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
  });

  it('goes on by what it finds where others have written to the payment since it was read', async () => {
    const cancel = (payment: string) =>
      process().writes.execute(paymentIntents, payment, { type: 'cancel' }, merchant());
    const rivals = [
      { given: issued, rival: cancel },
      { given: cutOff, rival: () => process().catchUp() },
    ];
    for (const { given, rival } of rivals) {
      const { id, payment } = await given();
      const append = store.append.bind(store);
      const appends = jest.spyOn(store, 'append').mockImplementationOnce(async (...appended) => {
        await rival(payment);
        return append(...appended);
      });
      await process().payments.void(id, merchant());
      appends.mockRestore();
      expect(await typesOfPayment(payment)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
      expect((await typesOf(`test.invoice-${id}`)).at(-1)).toBe('InvoiceVoided');
    }
  });

  it('is refused where the money has come since the payment was read, and voids nothing', async () => {
    fixture.mineEmpty(20);
    const watcher = await fixture.watcher();
    await watcher.tick();
    const { id, payment } = await issued();
    await fixture.select(payment);
    const quoted = await fixture.payment(payment);
    if (quoted.status !== 'awaiting_payment') throw new Error('no quote');
    const append = store.append.bind(store);
    const appends = jest.spyOn(store, 'append').mockImplementationOnce(async (...appended) => {
      fixture.chain.mine(fixture.transfer(HASH, BigInt(quoted.quote.due_base_units)));
      await watcher.tick();
      return append(...appended);
    });
    const refused = { code: 'invalid_state_transition' };
    await expect(process().payments.void(id, merchant())).rejects.toMatchObject(refused);
    appends.mockRestore();
    expect((await fixture.payment(payment)).status).toBe('detected');
    expect((await typesOf(`test.invoice-${id}`)).at(-1)).toBe('InvoiceIssued');
  });

  it('is finished by a later try where it died behind the making of the payment', async () => {
    const { id, payment } = await cutOff();
    const context = merchant();
    await dyingAt('PaymentIntentCreated', () => process().payments.void(id, context));
    await process().payments.void(id, context);
    expect(await typesOfPayment(payment)).toEqual(['PaymentIntentCreated', 'PaymentCanceled']);
    expect(await typesOf(`test.invoice-${id}`)).toEqual(['InvoiceDrafted', 'InvoiceIssued', 'InvoiceVoided']);
  });
});

describe('a void that was cut off behind the end of the payment', () => {
  it('is finished by a later try, also where a customer has asked for another payment since', async () => {
    for (const isAsked of [false, true]) {
      const id = await process().draft(fixture.context());
      await process().issue(id, fixture.context());
      const context = merchant();
      await dyingAt('PaymentCanceled', () => process().payments.void(id, context));
      const paying = { ...fixture.context(), actor: { role: 'checkout', type: 'system', id: 'checkout' } } as const;
      if (isAsked) await process().issue(id, paying);
      await process().payments.void(id, context);
      const types = await typesOf(`test.invoice-${id}`);
      expect(types.at(-1)).toBe('InvoiceVoided');
      const { state } = await process().writes.load(invoices, 'test', id);
      if (state.status === 'none') throw new Error(`${id} is gone`);
      expect(state.payments).toHaveLength(isAsked ? 2 : 1);
      for (const payment of state.payments)
        expect((await process().writes.load(paymentIntents, 'test', payment)).state.status).toBe('canceled');
    }
  });
});

describe('a void while a customer asks for another payment', () => {
  it.each([true, false])('cancels that payment as well: first try %s', async isFirstTry => {
    const id = await process().draft(fixture.context());
    await process().issue(id, fixture.context());
    const append = store.append.bind(store);
    const appends = jest.spyOn(store, 'append').mockImplementationOnce(async (...appended) => {
      const answer = await append(...appended);
      await process().issue(id, fixture.context());
      return answer;
    });
    const history = await process().payments.void(id, { ...merchant(), isFirstTry });
    appends.mockRestore();
    const types = ['InvoiceDrafted', 'InvoiceIssued', 'InvoiceIssued', 'InvoiceVoided'];
    expect(await typesOf(`test.invoice-${id}`)).toEqual(types);
    expect(history.map(({ type }) => type)).toEqual(types);
    for (const { data } of history.filter(({ type }) => type === 'InvoiceIssued'))
      expect(await typesOf(`test.payment_intent-${String(data.payment_intent)}`)).toEqual([
        'PaymentIntentCreated',
        'PaymentCanceled',
      ]);
  });
});
