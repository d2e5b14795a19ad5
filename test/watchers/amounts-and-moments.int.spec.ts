import { DAY_MS } from '../../src/kernel/clock';
import { NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import type { QuotedPaymentIntent } from '../../src/modules/payment-intents/payment-intent.state';
import { unmatchedTransfersProjection } from '../../projections/unmatched-transfers.projection';
import { transferId } from '../../src/modules/transfers/transfer.decider';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { PaymentFixture } from '../support/payment-fixture';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;

let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let due: bigint;
let quoteEndMs: number;

async function quote(network: NetworkId): Promise<void> {
  fixture = new PaymentFixture({ network });
  fixture.mineEmpty(20);
  watcher = await fixture.watcher();
  await watcher.tick();
  due = await fixture.quoted(PI);
  quoteEndMs = Date.parse((await payment()).quote.quote_expires_at);
}

/** The payer's transfer in the next block, and that block deep enough. */
async function pay(value: bigint): Promise<void> {
  fixture.chain.mine(fixture.transfer(HASH, value));
  fixture.mineEmpty(NETWORKS[fixture.network].finality.test.standard.confirmations + fixture.chain.finalityLag);
  await watcher.tick();
}

async function payment(): Promise<QuotedPaymentIntent> {
  return (await fixture.payment(PI)) as QuotedPaymentIntent;
}

async function queued(): Promise<boolean> {
  const key = { network: fixture.network, txHash: HASH, ordinal: 0 };
  const row = await fixture.readModels.get(unmatchedTransfersProjection, 'test', transferId(key));
  return row?.body.open ?? false;
}

/** The next block comes at that moment. */
async function passTo(timeMs: number): Promise<void> {
  const { chain, clock } = fixture;
  chain.skipTime(timeMs - (await chain.head()).timeMs - 1_000);
  clock.timeMs = timeMs;
}

describe.each(['tron', 'bnb', 'base'] as const)('the amount that is asked for on %s', network => {
  beforeEach(() => quote(network));

  it.each([
    [-1n, 1n, 'awaiting_payment'],
    [-1n, 0n, 'confirmed'],
    [0n, 0n, 'confirmed'],
    [1n, 0n, 'confirmed'],
    [1n, 1n, 'awaiting_payment'],
  ] as const)('paid off by %s tolerance and %s unit more: %s', async (sign, further, expected) => {
    const { attributionToleranceBaseUnits: tolerance } = fixture.token;
    await pay(due + sign * (tolerance + further));
    const { status, ledger, quote: locked } = await payment();
    expect(status).toBe(expected);
    expect(await queued()).toBe(expected !== 'confirmed');
    expect(Object.keys(ledger.transfers)).toHaveLength(expected === 'confirmed' ? 1 : 0);
    // A payer of the least amount that counts has paid the price.
    expect(due - tolerance).toBeGreaterThanOrEqual(BigInt(locked.price_base_units));
  });
});

it.each(['tron', 'bnb', 'base'] as const)('a transaction on %s that also moves another amount pays', async network => {
  await quote(network);
  // A payer's wallet may pay many bills by one transaction.
  fixture.chain.mine(fixture.transfer(HASH, 2n * due), fixture.transfer(HASH, due));
  await watcher.tick();
  fixture.mineEmpty(NETWORKS[network].finality.test.standard.confirmations + fixture.chain.finalityLag);
  await watcher.tick();
  const { status, ledger } = await payment();
  expect(status).toBe('confirmed');
  expect(Object.values(ledger.transfers)).toMatchObject([{ ordinal: 1, value_base_units: String(due) }]);
  expect(await queued()).toBe(true);
});

describe('a payment that has ended without money', () => {
  beforeEach(() => quote('base'));

  it.each([
    ['a second before a day is over', -1_000, 'paid_late'],
    ['as a day is over', 0, 'paid_late'],
    ['a second after it', 1_000, 'expired'],
  ])('by its quote’s end, paid %s', async (_, offMs, expected) => {
    await passTo(quoteEndMs + 1_000);
    fixture.mineEmpty(2);
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
    expect((await payment()).status).toBe('expired');
    await passTo(quoteEndMs + DAY_MS + offMs);
    await pay(due);
    expect((await payment()).status).toBe(expected);
    expect(await queued()).toBe(expected === 'expired');
  });

  it('by its merchant, paid at once: the money is in the queue', async () => {
    const merchant = { ...fixture.context(), actor: { role: 'merchant', type: 'api_key', id: 'key_1' } as const };
    await fixture.writes.execute(paymentIntents, PI, { type: 'cancel' }, merchant);
    await pay(due);
    expect((await payment()).status).toBe('canceled');
    expect(await queued()).toBe(true);
  });

  it('by nobody yet, paid in the very second of its quote’s end, is in time', async () => {
    await passTo(quoteEndMs);
    await pay(due);
    await fixture.sweeper().sweep('quote');
    expect((await payment()).status).toBe('confirmed');
  });
});
