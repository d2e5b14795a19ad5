import { catchUp } from './catch-up';
import { embeddedSide, eventStoreDbSide } from './command-sides';
import { commandsPerAppend } from './commands-per-append';
import { createsPerAppend } from './creates-per-append';
import { crowdedBlocks } from './crowded-block';
import { decodeToMatch } from './decode-to-match';
import { idempotentReplay } from './idempotent-replay';
import { commit, notMeasured, ratioOf, report, type Figure } from './measure';
import { paymentCost } from './payment-cost';
import { paymentOfMany } from './payment-of-many';
import { webhookDeliveries } from './webhook-deliveries';

/** Each measures in this one run both sides of its ratios; some give several figures at once. */
const MEASURES: readonly (() => Promise<readonly Figure[]>)[] = [
  async () => {
    const { createOverNoop, eventsPerLifecycle, kibPerLifecycle } = await paymentCost();
    return [
      {
        id: 'R1',
        what: 'CPU of POST /v1/payment_intents over CPU of a no-op POST on bare Nest and Fastify',
        value: createOverNoop,
        unit: 'ratio',
        gate: { atMost: 12 },
      },
      {
        id: 'R12',
        what: 'events of one payment, created to confirmed with its webhooks',
        value: eventsPerLifecycle,
        unit: 'events',
        gate: { atMost: 20 },
      },
      {
        id: 'R12',
        what: 'what they take in the log, indexes included',
        value: kibPerLifecycle,
        unit: 'KiB',
        gate: { atMost: 24 },
      },
    ];
  },
  async () => {
    const figure = {
      id: 'R2',
      what: 'commands a second over raw single-event appends a second, 32 in flight, embedded engine',
      gate: { atLeast: 0.04 },
    };
    return [ratioOf(figure, 'appends of the same engine', await commandsPerAppend(embeddedSide()))];
  },
  async () => {
    const url = process.env.EVENTSTORE_URL;
    if (!url) return notMeasured('R2', 'EVENTSTORE_URL names no real engine');
    const figure = {
      id: 'R2',
      what: 'commands a second over raw single-event appends a second, 32 in flight, real engine, no read models',
      gate: { atLeast: 0.25 },
    };
    return [ratioOf(figure, 'appends by the same client', await commandsPerAppend(await eventStoreDbSide(url)))];
  },
  async () => {
    const { EVENTSTORE_URL, MONGODB_URL } = process.env;
    if (!EVENTSTORE_URL || !MONGODB_URL)
      return notMeasured('R17', 'EVENTSTORE_URL and MONGODB_URL name no real engines');
    const figure = {
      id: 'R17',
      what: 'POST /v1/payment_intents a second, all roles, over raw appends a second, 32 in flight, real engines',
      gate: { atLeast: 0.1 },
    };
    const rounds = await createsPerAppend({ EVENTSTORE_URL, MONGODB_URL });
    return [ratioOf(figure, 'appendToStream of @eventstore/db-client', rounds)];
  },
  async () => [
    {
      id: 'R5',
      what: "time from a transfer's log to its credit, a million reservations open over a thousand",
      value: await decodeToMatch(),
      unit: 'ratio',
      gate: { atMost: 2 },
    },
  ],
  async () => {
    const { deliveriesOverBare, p99HangingOverQuiet } = await webhookDeliveries();
    return [
      {
        id: 'R9',
        what: 'webhook deliveries a second over requests of a bare https client, a connection for each',
        value: deliveriesOverBare,
        unit: 'ratio',
        gate: { atLeast: 0.5 },
      },
      {
        id: 'R9',
        what: "p99 of a merchant's webhooks beside ten merchants with 16 hanging endpoints each over without",
        value: p99HangingOverQuiet,
        unit: 'ratio',
        gate: { atMost: 1.2 },
      },
    ];
  },
  async () => [
    {
      id: 'R10',
      what: 'CPU of a replayed POST /v1/payment_intents over CPU of its first execution',
      value: await idempotentReplay(),
      unit: 'ratio',
      gate: { atMost: 0.4 },
    },
  ],
  async () => {
    const { rateOverLive, callsManyOverFew } = await catchUp();
    return [
      {
        id: 'R11',
        what: 'blocks a second read after an outage over the 2.22 that BNB makes, from a synthetic node',
        value: rateOverLive,
        unit: 'ratio',
        gate: { atLeast: 50 },
      },
      {
        id: 'R11',
        what: 'calls to the node by block with 10,000 wallets over with 10, catching up and following',
        value: callsManyOverFew,
        unit: 'ratio',
        gate: { atMost: 1.2 },
      },
    ];
  },
  async () => [
    {
      id: 'R15a',
      what: 'CPU by transfer, sighting to settlement, of a payment of 100 transfers over payments of one',
      value: await paymentOfMany(),
      unit: 'ratio',
      gate: { atMost: 2 },
    },
  ],
  async () => {
    const { readOverBare, manyOverFew } = await crowdedBlocks();
    return [
      {
        id: 'block',
        what: 'time to read a block of 50,000 foreign logs and 1,000 zero transfers over a bare fetch and JSON.parse',
        value: readOverBare,
        unit: 'ratio',
        gate: { atMost: 3 },
      },
      {
        id: 'R15b',
        what: 'time by log to read a block of 50,000 foreign logs over one of 50',
        value: manyOverFew,
        unit: 'ratio',
        gate: { atMost: 2 },
      },
    ];
  },
];

/**
 * Prints ratios, never times: each is the median of rounds, beside the gate that it must hold. A measure that breaks
 * takes none of the others with it.
 */
async function main(): Promise<void> {
  console.log(`commit ${commit()}`);
  for (const measure of MEASURES) {
    try {
      const held = (await measure()).map(report);
      if (!held.every(Boolean)) process.exitCode = 1;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
}

void main();
