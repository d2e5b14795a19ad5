import { version as clientVersion } from '@eventstore/db-client/package.json';
import { catchUp } from './catch-up';
import { embeddedSide, eventStoreDbSide } from './command-sides';
import { commandsPerAppend } from './commands-per-append';
import { createsPerAppend } from './creates-per-append';
import { crowdedBlocks } from './crowded-block';
import { decodeToMatch } from './decode-to-match';
import { createCalls, paymentCalls } from './engine-calls';
import { idempotentReplay } from './idempotent-replay';
import { commit, notMeasured, ratioOf, report, type Figure } from './measure';
import { paymentCost } from './payment-cost';
import { paymentOfMany } from './payment-of-many';
import { webhookDeliveries } from './webhook-deliveries';

type Measure = {
  /** Of the figures that it gives, all at once. */
  readonly ids: readonly string[];
  readonly run: () => Promise<readonly Figure[]>;
};

/** Each measures in this one run both sides of its ratios. */
const MEASURES: readonly Measure[] = [
  {
    ids: ['R1', 'R12'],
    run: async () => {
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
  },
  {
    ids: ['R2'],
    run: async () => {
      const figure = {
        id: 'R2',
        what: 'commands a second over raw single-event appends a second, 32 in flight, embedded engine',
        gate: { atLeast: 0.04 },
      };
      return [
        ratioOf(figure, 'appends of one event each to the same embedded log', await commandsPerAppend(embeddedSide())),
      ];
    },
  },
  // Before the other figure of a real engine, which leaves secrets of another key in the log.
  {
    ids: ['R17'],
    run: async () => {
      const { EVENTSTORE_URL, MONGODB_URL } = process.env;
      if (!EVENTSTORE_URL || !MONGODB_URL)
        return notMeasured('R17', 'EVENTSTORE_URL and MONGODB_URL name no real engines');
      const figure = {
        id: 'R17',
        what: 'POST /v1/payment_intents a second, all roles, over raw appends a second, 32 in flight, real engines',
        gate: { atLeast: 0.1 },
      };
      const rounds = await createsPerAppend({ EVENTSTORE_URL, MONGODB_URL });
      return [ratioOf(figure, `appendToStream of a bare @eventstore/db-client ${clientVersion}`, rounds)];
    },
  },
  {
    ids: ['R2'],
    run: async () => {
      const url = process.env.EVENTSTORE_URL;
      if (!url) return notMeasured('R2', 'EVENTSTORE_URL names no real engine');
      const figure = {
        id: 'R2',
        what: 'commands a second over raw single-event appends a second, 32 in flight, real engine, no read models',
        gate: { atLeast: 0.25 },
      };
      return [
        ratioOf(
          figure,
          `appends of one event each by the same @eventstore/db-client ${clientVersion}`,
          await commandsPerAppend(await eventStoreDbSide(url)),
        ),
      ];
    },
  },
  {
    ids: ['R14', 'R16'],
    run: async () => {
      const { readsPerPayment, feeds } = await paymentCalls();
      return [
        {
          id: 'R14',
          what: 'reads of streams by a payment, sighting to confirmed, without those of its webhooks',
          value: readsPerPayment,
          unit: 'reads',
          gate: { atMost: 16 },
        },
        {
          id: 'R16',
          what: 'subscriptions to the log that a process holds for its read models',
          value: feeds,
          unit: 'feeds',
          gate: { atMost: 1 },
        },
      ];
    },
  },
  {
    ids: ['R16'],
    run: async () => {
      const { tripsPerCreate, tripsMoreWithKey } = await createCalls();
      return [
        {
          id: 'R16',
          what: 'round trips to the engines by POST /v1/payment_intents',
          value: tripsPerCreate,
          unit: 'trips',
          gate: { atMost: 4 },
        },
        {
          id: 'R16',
          what: 'further round trips that it makes with an Idempotency-Key',
          value: tripsMoreWithKey,
          unit: 'trips',
          gate: { atMost: 2 },
        },
      ];
    },
  },
  {
    ids: ['R5'],
    run: async () => [
      {
        id: 'R5',
        what: "time from a transfer's log to its credit, a million reservations open over a thousand",
        value: await decodeToMatch(),
        unit: 'ratio',
        gate: { atMost: 2 },
      },
    ],
  },
  {
    ids: ['R9'],
    run: async () => {
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
  },
  {
    ids: ['R10'],
    run: async () => [
      {
        id: 'R10',
        what: 'CPU of a replayed POST /v1/payment_intents over CPU of its first execution',
        value: await idempotentReplay(),
        unit: 'ratio',
        gate: { atMost: 0.4 },
      },
    ],
  },
  {
    ids: ['R11'],
    run: async () => {
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
  },
  {
    ids: ['R15a'],
    run: async () => [
      {
        id: 'R15a',
        what: 'CPU by transfer, sighting to settlement, of a payment of 100 transfers over payments of one',
        value: await paymentOfMany(),
        unit: 'ratio',
        gate: { atMost: 2 },
      },
    ],
  },
  {
    ids: ['block', 'R15b'],
    run: async () => {
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
  },
];

/**
 * Prints ratios and counts, never times, each beside the gate that it must hold. A measure that breaks takes none of
 * the others with it. Ids ask for some of the figures; a measure that gives one of them is run as a whole.
 */
async function main(asked: readonly string[]): Promise<void> {
  const known = new Set(MEASURES.flatMap(({ ids }) => ids));
  const unknown = asked.filter(id => !known.has(id));
  if (unknown.length > 0)
    throw new Error(`no figure is called ${unknown.join(', ')}: ask for ${[...known].join(', ')}`);
  const measures = MEASURES.filter(({ ids }) => asked.length === 0 || ids.some(id => asked.includes(id)));
  console.log(`commit ${commit()}`);
  for (const { run } of measures) {
    try {
      const held = (await run()).map(report);
      if (!held.every(Boolean)) process.exitCode = 1;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(String(error));
  process.exitCode = 1;
});
