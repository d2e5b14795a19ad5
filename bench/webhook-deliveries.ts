import { Agent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { inFlight, median } from './measure';
import { merchant, Receivers, WebhookPlace } from './webhook-place';

/** Merchants with an endpoint each, which takes four messages at once. */
const SENDERS = 12;
const AT_ONCE = 4 * SENDERS;
const ROUND = 40 * SENDERS;
const ROUNDS = 7;

const HOSTILE_MERCHANTS = 10;
const HANGING_ENDPOINTS = 16;
const HANGING_PAYMENTS = 4;
const PACE_MS = 20;
const PACED = 200;
const PACED_ROUNDS = 5;
/** The work of a start is over, and the first places hang. */
const WARM_UP_MS = 1_000;
const LATE_MS = 30_000;
const GOOD = merchant(1_000);

export type WebhookFigures = {
  /**
   * R9: deliveries a second over requests a second of a bare client with as many under way, each over a connection of
   * its own.
   */
  readonly deliveriesOverBare: number;
  /** R9: p99 of another merchant's deliveries with ten merchants × 16 endpoints that hang over without them. */
  readonly p99HangingOverQuiet: number;
};

export async function webhookDeliveries(): Promise<WebhookFigures> {
  const receivers = await Receivers.start();
  try {
    return {
      deliveriesOverBare: await deliveriesOverBare(receivers),
      p99HangingOverQuiet: await p99HangingOverQuiet(receivers),
    };
  } finally {
    receivers.stop();
  }
}

async function deliveriesOverBare(receivers: Receivers): Promise<number> {
  const place = await WebhookPlace.open();
  try {
    for (let number = 0; number < SENDERS; number++) await place.endpoint(merchant(number), receivers.url('prompt'));
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const body = JSON.stringify({ id: 'evt', type: 'payment.created', data: { id: 'x'.repeat(1_000) } });
      const bareMs = await timeOf(() => inFlight(ROUND, AT_ONCE, () => bare(receivers, body)));
      await inFlight(ROUND, AT_ONCE, index => place.payment(merchant(index % SENDERS)).created);
      await place.schedule();
      const sentMs = await timeOf(() => drained(place, receivers));
      // The first round is the compiler's, and finds out which endpoints answer.
      if (round > 0) ratios.push(bareMs / sentMs);
      await place.pause();
    }
    return median(ratios);
  } finally {
    await place.close();
  }
}

function drained(place: WebhookPlace, { ca }: Receivers): Promise<void> {
  return new Promise(resolve => {
    let left = ROUND;
    place.go(ca, () => {
      left -= 1;
      if (left === 0) resolve();
    });
  });
}

/** The client connects as the sender does: a handshake for each. */
function bare(receivers: Receivers, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(receivers.url('prompt'), { method: 'POST', agent, ca: receivers.ca, headers }, response => {
      response.resume();
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('refused'))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function p99HangingOverQuiet(receivers: Receivers): Promise<number> {
  const [quiet, crowded] = [await WebhookPlace.open(), await WebhookPlace.open()];
  try {
    for (const place of [quiet, crowded]) await place.endpoint(GOOD, receivers.url('prompt'));
    for (let number = 0; number < HOSTILE_MERCHANTS; number++) {
      for (let count = 0; count < HANGING_ENDPOINTS; count++) {
        await crowded.endpoint(merchant(number), receivers.url('hanging'));
      }
      for (let count = 0; count < HANGING_PAYMENTS; count++) await crowded.payment(merchant(number)).created;
    }
    const ratios: number[] = [];
    for (let round = 0; round <= PACED_ROUNDS; round++) {
      const without = await p99(quiet, receivers);
      const ratio = (await p99(crowded, receivers)) / without;
      if (round > 0) ratios.push(ratio);
    }
    return median(ratios);
  } finally {
    await Promise.all([quiet.close(), crowded.close()]);
  }
}

/** The p99 of the milliseconds from a payment's creation to the answer of its receiver, at a steady pace. */
async function p99(place: WebhookPlace, { ca }: Receivers): Promise<number> {
  const startedAt = new Map<string, number>();
  const latencies: number[] = [];
  place.go(ca, payment => {
    const since = startedAt.get(payment);
    if (since !== undefined && startedAt.delete(payment)) latencies.push(performance.now() - since);
  });
  try {
    await pause(WARM_UP_MS);
    for (let count = 0; count < PACED; count++) {
      const sinceMs = performance.now();
      startedAt.set(place.payment(GOOD).id, sinceMs);
      await pause(Math.max(0, PACE_MS - (performance.now() - sinceMs)));
    }
    for (let waitedMs = 0; latencies.length < PACED; waitedMs += PACE_MS) {
      if (waitedMs > LATE_MS) throw new Error(`${PACED - latencies.length} webhooks were not answered`);
      await pause(PACE_MS);
    }
  } finally {
    await place.pause();
  }
  return latencies.sort((one, other) => one - other)[Math.ceil(0.99 * PACED) - 1] as number;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
