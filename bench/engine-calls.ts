import { CountedPayments } from '../test/processes/counted-payments';
import { CountedApi } from '../test/support/counted-api';
import type { RoundTrip } from '../test/support/round-trips';
import { mostOf, type CountedRound } from './measure';

const PAYMENTS = 3;
const CREATES = 7;

export type PaymentCalls = {
  /** R14: reads of streams that a payment takes from its sighting to its confirmation. */
  readonly readsPerPayment: number;
  /** R16: subscriptions to the log that a process holds for its read models. */
  readonly feeds: number;
};

/** Counted at the port of the log, in one process of the service over the embedded log. */
export async function paymentCalls(): Promise<PaymentCalls> {
  const payments = new CountedPayments();
  await payments.start();
  try {
    const own: CountedRound[] = [];
    const ofWebhooks: CountedRound[] = [];
    const subscribed: CountedRound[] = [];
    while (own.length < PAYMENTS) {
      const reads = await payments.readsOfOne();
      own.push(reads.own.map(kindOf));
      ofWebhooks.push(reads.ofWebhooks.map(kindOf));
      subscribed.push(payments.subscribed.map(({ categories }) => `subscribe to ${categories.length} categories`));
    }
    const readsPerPayment = mostOf('R14', 'reads of streams, payment by payment', own);
    mostOf('R14', 'reads of their webhooks, which are counted apart', ofWebhooks);
    return { readsPerPayment, feeds: mostOf('R16', 'subscriptions held after each of these payments', subscribed) };
  } finally {
    await payments.stop();
  }
}

function kindOf({ asked, by }: RoundTrip): string {
  return `${asked.padEnd(28)} ${by}`;
}

export type CreateCalls = {
  /** R16: round trips of `POST /v1/payment_intents` without an Idempotency-Key. */
  readonly tripsPerCreate: number;
  /** R16: how many more it makes with one. */
  readonly tripsMoreWithKey: number;
};

/** Counted at the ports of log and documents, in steady state, over the embedded engines. */
export async function createCalls(): Promise<CreateCalls> {
  const api = await CountedApi.open();
  try {
    const without: CountedRound[] = [];
    const withKey: CountedRound[] = [];
    while (without.length < CREATES) {
      without.push(await api.asked(() => api.merchant.createIntent()));
      withKey.push(await api.asked(() => api.createIntentOnce()));
    }
    const tripsPerCreate = mostOf('R16', 'round trips of a creation, one by one', without);
    const tripsWithKey = mostOf('R16', 'round trips with an Idempotency-Key, one by one', withKey);
    return { tripsPerCreate, tripsMoreWithKey: tripsWithKey - tripsPerCreate };
  } finally {
    await api.close();
  }
}
