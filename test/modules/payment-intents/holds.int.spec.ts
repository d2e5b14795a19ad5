import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import type { MerchantContext, PlatformContext } from '../../../src/kernel/command-context';
import { isoTime } from '../../../src/kernel/clock';
import type { Mode } from '../../../src/vocabulary/modes';
import { PlaceHold, PlaceHoldHandler } from '../../../src/modules/payment-intents/commands/place-hold.command';
import {
  ResolveHold,
  ResolveHoldHandler,
  type HoldDecision,
} from '../../../src/modules/payment-intents/commands/resolve-hold.command';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { transferId, transfers } from '../../../src/modules/transfers/transfer.decider';
import { DyingStore } from '../../processes/matching/dying-store';
import { MERCHANT, PAYER, PaymentFixture } from '../../support/payment-fixture';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';

const PI = 'pi_00000000000000000000000001';
const HASH = `0x${'11'.repeat(32)}`;
const TRANSFER = transferId({ network: 'base', txHash: HASH, ordinal: 0 });
const DEPTH = 12;
const REASON = 'looked into';

let fixture: PaymentFixture;
let watcher: NetworkWatcher;
let due: bigint;

beforeEach(async () => {
  fixture = new PaymentFixture();
  watcher = await fixture.watcher();
  due = await fixture.quoted(PI);
});

/** An administrator of compliance, who belongs to no merchant. */
function admin(id: string, universe: Mode = 'test'): PlatformContext<Mode> {
  return { ...fixture.context(), merchantId: null, universe, actor: { role: 'compliance', type: 'admin', id } };
}

function resolve(type: HoldDecision['type'], approvedBy = 'adm_2', universe: Mode = 'test'): Promise<void> {
  const decision: HoldDecision = { type, reason: REASON, proposedBy: 'adm_1', approvedBy };
  return new ResolveHoldHandler(fixture.writes).execute(new ResolveHold(PI, decision, admin('adm_1', universe)));
}

function place(payer = PAYER): Promise<void> {
  return new PlaceHoldHandler(fixture.writes).execute(new PlaceHold(PI, payer, REASON, admin('adm_1')));
}

async function status(): Promise<string> {
  return (await fixture.payment(PI)).status;
}

async function mine(count: number): Promise<void> {
  fixture.mineEmpty(count);
  await watcher.tick();
}

async function paid(value = due): Promise<void> {
  fixture.chain.mine(fixture.transfer(HASH, value));
  await watcher.tick();
}

/**
 * Attributes half of the amount due to the payment, as a claim by its hash does. Answers the amount that is still asked
 * for.
 */
async function underpaid(): Promise<bigint> {
  fixture.chain.mine(fixture.transfer(HASH, due / 2n));
  const block = fixture.chain.blockOf(HASH);
  if (!block) throw new Error('not mined');
  const transfer = {
    transfer_id: TRANSFER,
    tx_hash: HASH,
    ordinal: 0,
    from: PAYER,
    value_base_units: (due / 2n).toString(),
    block_number: block.number,
    block_hash: block.hash,
    block_time: isoTime(block.timeMs),
  };
  const actor = { role: 'watcher', type: 'system', id: 'test' } as const;
  const { transfer_id: _id, tx_hash: _hash, ordinal: _ordinal, ...facts } = transfer;
  const seen = { ...facts, token_id: fixture.token.id, to: fixture.address };
  const claimed = { type: 'see', seen, claim: PI } as const;
  await fixture.writes.execute(transfers, `base:${HASH}:0`, claimed, { ...fixture.context(), actor });
  await fixture.writes.execute(paymentIntents, PI, { type: 'see_transfer', transfer }, { ...fixture.context(), actor });
  await mine(DEPTH);
  const event = (await fixture.events(PI)).find(({ type }) => type === 'PaymentUnderpaid');
  if (event?.type !== 'PaymentUnderpaid' || event.data.remainder === null) throw new Error(`it is ${await status()}`);
  return BigInt(event.data.remainder?.due_base_units ?? 0);
}

async function lastEvents(count: number): Promise<readonly string[]> {
  return (await fixture.eventTypes(PI)).slice(-count);
}

describe('a payer of high risk', () => {
  beforeEach(() => fixture.verdicts.set(PAYER, 'high_risk'));

  it.each([
    ['while it is held', ['PaymentFailed'], () => Promise.resolve()],
    ['once it is rejected', ['HoldRejected', 'TransferDropped'], () => resolve('reject_hold')],
  ])('has paid nothing that a deep reorganisation takes %s', async (_name, expected, decide) => {
    await paid();
    await mine(1);
    await mine(DEPTH);
    expect(await lastEvents(2)).toEqual(['HoldPlaced', 'DepthReached']);
    await decide();
    fixture.chain.reorganise(DEPTH + 2);
    await mine(1);
    await mine(60);
    expect(await lastEvents(expected.length)).toEqual(expected);
    expect(await status()).toBe('failed');
    const document = await fixture.readModels.get(paymentIntentsProjection, 'test', PI);
    expect(document?.body.transfers.map(row => row.status)).toEqual(['reorged']);
  });

  it('is held as soon as the payment is seen to confirm, and confirmed once two have released it', async () => {
    await paid();
    await mine(1);
    expect(await lastEvents(2)).toEqual(['PayerScreened', 'HoldPlaced']);
    await mine(DEPTH);
    await mine(1);
    expect(await lastEvents(2)).toEqual(['HoldPlaced', 'DepthReached']);
    expect(await status()).toBe('confirming');
    await resolve('release_hold');
    expect(await status()).toBe('confirming');
    await mine(1);
    expect(await status()).toBe('confirmed');
    const [release] = (await fixture.events(PI)).filter(event => event.type === 'HoldReleased');
    expect(release).toMatchObject({
      data: { reason: REASON, proposed_by: 'adm_1', approved_by: 'adm_2' },
      metadata: { merchant_id: MERCHANT, actor: { role: 'compliance', type: 'admin', id: 'adm_1' } },
    });
  });

  it('fails the payment where two reject it, for good', async () => {
    await paid();
    await mine(DEPTH);
    await resolve('reject_hold');
    expect(await status()).toBe('failed');
    fixture.verdicts.set(PAYER, 'clear');
    await mine(DEPTH);
    expect(await lastEvents(1)).toEqual(['HoldRejected']);
    await expect(resolve('release_hold')).rejects.toMatchObject({ code: 'hold_already_resolved' });
  });

  it('stays held where one would do both', async () => {
    await paid();
    await mine(DEPTH);
    await expect(resolve('release_hold', 'adm_1')).rejects.toMatchObject({ code: 'self_approval_forbidden' });
    await mine(1);
    expect((await fixture.payment(PI)) as object).toMatchObject({
      status: 'confirming',
      ledger: { hold: { status: 'open' } },
    });
  });

  it('who pays the remainder of a short payment is held there, and what they paid counts after the release', async () => {
    fixture.verdicts.set(PAYER, 'clear');
    const second = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    fixture.verdicts.set(second, 'high_risk');
    const remainder = await underpaid();
    fixture.chain.mine(fixture.transfer(`0x${'22'.repeat(32)}`, remainder, second));
    await mine(DEPTH);
    await mine(1);
    expect(await status()).toBe('underpaid');
    expect(await lastEvents(2)).toEqual(['PayerScreened', 'HoldPlaced']);
    await resolve('release_hold');
    await mine(1);
    expect(await status()).toBe('confirmed');
  });

  it('of a short payment is asked for nothing while held, and for all of it anew after the release', async () => {
    fixture.verdicts.set(PAYER, 'clear');
    await watcher.tick();
    await underpaid();
    await place();
    fixture.chain.reorganise(DEPTH + 1);
    await mine(1);
    await mine(60);
    await mine(1);
    expect(await lastEvents(2)).toEqual(['HoldPlaced', 'TransferDropped']);
    await resolve('release_hold');
    await mine(1);
    expect(await lastEvents(2)).toEqual(['HoldReleased', 'RemainderReserved']);
  });

  it('who pays the remainder is rejected there: what was on its way is given up, and goes to the queue', async () => {
    fixture.verdicts.set(PAYER, 'clear');
    const [second, third] = ['0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65', `0x${'33'.repeat(20)}`];
    fixture.verdicts.set(second, 'high_risk');
    const remainder = await underpaid();
    const hash = `0x${'22'.repeat(32)}`;
    fixture.chain.mine(fixture.transfer(hash, remainder, second));
    await mine(DEPTH);
    expect(await lastEvents(2)).toEqual(['PayerScreened', 'HoldPlaced']);
    fixture.chain.mine(fixture.transfer(`0x${'44'.repeat(32)}`, remainder, third));
    await mine(1);
    await resolve('reject_hold');
    await mine(1);
    expect(await lastEvents(2)).toEqual(['HoldRejected', 'TransferDropped']);
    await mine(DEPTH);
    expect(await lastEvents(2)).toEqual(['TransferDropped', 'TransferDropped']);
    expect(await status()).toBe('underpaid');
    const { state } = await fixture.writes.load(transfers, 'test', `base:${hash}:0`);
    expect(state).toMatchObject({ status: 'unmatched', claim: null });
  });

  it('who pays late is held in the review, and can be accepted after the release', async () => {
    await watcher.tick();
    await mine(16 * 60);
    await fixture.sweeper().sweep('quote');
    expect(await status()).toBe('expired');
    await paid();
    await mine(DEPTH);
    await mine(1);
    expect(await status()).toBe('paid_late');
    expect(await lastEvents(3)).toEqual(['PayerScreened', 'PaidLate', 'HoldPlaced']);
    const accept = { type: 'resolve', resolution: 'accepted', note: 'paid', standing: [TRANSFER] } as const;
    const merchant = (): MerchantContext => {
      return { ...fixture.context(), actor: { role: 'merchant', type: 'user', id: 'usr_1' } };
    };
    const accepting = fixture.writes.execute(paymentIntents, PI, accept, merchant());
    await expect(accepting).rejects.toMatchObject({ code: 'compliance_hold' });
    await resolve('release_hold');
    await fixture.writes.execute(paymentIntents, PI, accept, merchant());
    expect(await status()).toBe('confirmed');
  });
});

describe('a process that dies as a risky payer is written down', () => {
  it.each(['PayerScreened', 'PaidLate'])('at %s leaves the hold to who comes after', async diesAt => {
    const store = new DyingStore();
    fixture = new PaymentFixture({ store });
    fixture.verdicts.set(PAYER, 'high_risk');
    watcher = await fixture.watcher();
    due = await fixture.quoted(PI);
    await watcher.tick();
    await mine(16 * 60);
    await fixture.sweeper().sweep('quote');
    await paid();
    store.diesAt = diesAt;
    fixture.mineEmpty(DEPTH);
    await watcher.tick().catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    // The runner brings the document to the log's head.
    await fixture.project('', await fixture.events(PI));
    watcher = await fixture.watcher();
    await mine(1);
    expect(await status()).toBe('paid_late');
    expect(await lastEvents(3)).toEqual(['PayerScreened', 'PaidLate', 'HoldPlaced']);
    const document = await fixture.readModels.get(paymentIntentsProjection, 'test', PI);
    expect(document?.body).toMatchObject({ followed: false, state: { ledger: { hold: { status: 'open' } } } });
  });
});

describe('a screening that is silent', () => {
  it('lets the payment wait, and go on when it speaks', async () => {
    fixture.verdicts.set(PAYER, 'silent');
    await paid();
    await mine(DEPTH);
    await mine(120);
    expect(await status()).toBe('confirming');
    expect(await fixture.eventTypes(PI)).not.toContain('PayerScreened');
    fixture.verdicts.set(PAYER, 'clear');
    await mine(120);
    expect(await status()).toBe('confirmed');
  });

  it('is asked again before the payment is confirmed, whatever it said at first', async () => {
    await paid();
    await mine(1);
    expect(await lastEvents(1)).toEqual(['PayerScreened']);
    fixture.verdicts.set(PAYER, 'silent');
    await mine(DEPTH);
    expect(await status()).toBe('confirming');
    fixture.verdicts.set(PAYER, 'high_risk');
    await mine(120);
    expect(await lastEvents(2)).toEqual(['PayerScreened', 'HoldPlaced']);
    expect(await status()).toBe('confirming');
  });
});

describe('a log that is away as a verdict is written', () => {
  it('is not taken for a silent screening: the payment goes on with the next look at it', async () => {
    const append = fixture.store.append.bind(fixture.store);
    const failing = jest.spyOn(fixture.store, 'append').mockImplementation((stream, expected, events) => {
      const isVerdict = events.some(({ type }) => type === 'PayerScreened');
      return isVerdict ? Promise.reject(new StoreUnavailable('away on purpose')) : append(stream, expected, events);
    });
    await paid();
    await mine(1);
    expect(await fixture.eventTypes(PI)).not.toContain('PayerScreened');
    failing.mockRestore();
    await watcher.tick();
    expect(await lastEvents(1)).toEqual(['PayerScreened']);
  });
});

describe('a person of compliance', () => {
  it('holds a payer whom the screening had cleared', async () => {
    await paid();
    await mine(1);
    await place();
    await mine(DEPTH);
    expect(await status()).toBe('confirming');
    await resolve('release_hold');
    await mine(1);
    expect(await status()).toBe('confirmed');
  });

  it('finds no hold of a payment that does not exist, or exists in the other mode', async () => {
    await paid();
    await mine(1);
    await place();
    await expect(resolve('release_hold', 'adm_2', 'live')).rejects.toMatchObject({ code: 'hold_not_found' });
    await expect(
      new PlaceHoldHandler(fixture.writes).execute(new PlaceHold('pi_none', PAYER, REASON, admin('adm_1'))),
    ).rejects.toMatchObject({ code: 'payment_not_found' });
  });
});
