import { MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { TOKENS } from '../../src/kernel/tokens';
import { fold } from '../../src/kernel/decider';
import { streamName } from '../../src/kernel/event';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { SteppedClock } from '../projections/runner/stepped-clock';
import { sharedAddress } from '../simulation/setting';
import { simulatedContext } from '../simulation/shops';
import { MemoryEventStore } from '../support/memory-event-store';
import { PAYER } from '../support/payment-fixture';
import { RoundTrips, type RoundTrip } from '../support/round-trips';
import { OutageStage } from './outage-stage';

jest.setTimeout(120_000);

const PAYMENT = 'pi_00000000000000000000000000';
/** From its sighting to its confirmation. Webhooks read for each of their endpoints, and are counted apart. */
const MOST_READS = 16;
const LONGEST_MS = 10 * MINUTE_MS;
const WEBHOOKS = /webhook/;

describe('a payment from its sighting to its confirmation', () => {
  const engine = new MemoryEventStore();
  const trips = new RoundTrips();
  const stage = new OutageStage(new SteppedClock(), trips.log(engine));
  let requests = 0;

  beforeAll(async () => {
    stage.chain.mineEmpty(20);
    await stage.start();
    await stage.pass(MINUTE_MS);
  });
  afterAll(() => stage.stop());

  const context = () =>
    simulatedContext(`request-${++requests}`, 'api', 'test', stage.shop.merchantId, stage.wall.now());

  async function state() {
    return fold(paymentIntents, (await engine.readStream(streamName('test', 'payment_intent', PAYMENT))) as never);
  }

  /** The amount due. */
  async function quoted(): Promise<bigint> {
    const { writes } = stage.core;
    const terms = {
      amount_minor_units: '2500',
      currency: 'EUR',
      currency_decimals: 2,
      metadata: {},
      description: null,
      success_url: null,
    };
    await stage.passing(writes.execute(paymentIntents, PAYMENT, { type: 'create', terms }, context()));
    const walletId = stage.shop.walletIds.base ?? '';
    await stage.passing(stage.payments.selection.select(PAYMENT, 'usdc-base', walletId, context()));
    const payment = await state();
    if (payment.status !== 'awaiting_payment') throw new Error(`the payment is ${payment.status}`);
    return BigInt(payment.quote.due_base_units);
  }

  it('costs few reads of streams', async () => {
    const valueBaseUnits = await quoted();
    await stage.pass(30 * SECOND_MS);
    const noted = await trips.noting(async () => {
      const contract = TOKENS['usdc-base'].contract.test;
      const transfer = { from: PAYER, to: sharedAddress('base'), contract, valueBaseUnits };
      stage.chain.mine({ txHash: `0x${'ab'.repeat(32)}`, ...transfer });
      const endMs = stage.wall.now() + LONGEST_MS;
      while ((await state()).status !== 'confirmed' && stage.wall.now() < endMs) await stage.pass(10 * SECOND_MS);
      // What follows from the confirmation.
      await stage.pass(30 * SECOND_MS);
    });
    expect((await state()).status).toBe('confirmed');
    const reads = noted.filter(({ asked }) => asked.startsWith('readStream'));
    const [ofWebhooks, own] = [reads.filter(isOfWebhooks), reads.filter(read => !isOfWebhooks(read))];
    process.stdout.write(`${told('own', own)}${told('webhooks', ofWebhooks)}`);
    expect(own.length).toBeLessThanOrEqual(MOST_READS);
  });
});

function isOfWebhooks({ asked, by }: RoundTrip): boolean {
  return WEBHOOKS.test(asked) || WEBHOOKS.test(by);
}

/** How often each kind of stream was read, and by which part. */
function told(name: string, reads: readonly RoundTrip[]): string {
  const counts = new Map<string, number>();
  for (const { asked, by } of reads) {
    const line = `${asked.padEnd(30)} ${by}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].sort(([, one], [, other]) => other - one);
  return `${name}: ${reads.length}\n${lines.map(([line, count]) => `${String(count).padStart(4)} ${line}\n`).join('')}`;
}
