import { deferredTransfersProjection } from '../../../projections/deferred-transfers.projection';
import { TRANSFERS_LIMIT } from '../../../src/modules/payment-intents/payment-intent.transfers';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { GivingUp } from '../../../src/processes/matching/giving-up';
import { TransferCredit } from '../../../src/processes/matching/transfer-credit';
import { TransferMatching } from '../../../src/processes/matching/transfer-matching';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import { hash, MatchingFixture, pi } from './matching-fixture';
import { inferredCredit, KEY, withoutIndex, type MovedInference } from './moved-inference-stage';

/** A little less than what the first payment asks for. */
const PRICE_BESIDE = '2490';

/** The amount that a payment of that price asks for beside the first one. */
async function askedBeside(): Promise<bigint> {
  const { payments } = await new MatchingFixture({ infers: true, toleranceBps: 100 }).start();
  await payments.quoted(pi(1));
  return payments.quoted(pi(2), PRICE_BESIDE);
}

async function judge({ fixture, deepen }: MovedInference, restore: () => void): Promise<void> {
  restore();
  await fixture.watcher?.retrySetAside();
  await deepen();
}

/** Ends the waits of all deferred transfers, as the command line does. */
async function giveUpAll(fixture: MatchingFixture): Promise<number> {
  const { writes, commands, clock, log, readModels } = fixture.payments;
  const matching = new TransferMatching(writes, clock, commands, new TransferCredit(commands, clock, log), log, null);
  const givingUp = new GivingUp({ writes, matching, policyOf: () => watchPolicy('test', false), log });
  const equals = { mode: 'test', network_id: 'base', status: 'open' };
  const rows = await readModels.list(deferredTransfersProjection, { index: 'by_block', equals, limit: 9 });
  for (const { id } of rows) await givingUp.giveUp(id, 'nobody waits for it', fixture.admin());
  return rows.length;
}

describe('a transfer that was inferred at a dedicated wallet, and has moved', () => {
  it.each([
    ['open', 'awaiting_payment'],
    ['canceled', 'canceled'],
  ])('is nobody’s where its amount is that of a later payment, which is %s', async (_, left) => {
    const value = await askedBeside();
    const stage = await inferredCredit(true, value);
    const { fixture } = stage;
    expect(await fixture.payments.quoted(pi(2), PRICE_BESIDE)).toBe(value);
    if (left === 'canceled') await fixture.cancel(2);
    await stage.move();
    await stage.deepen();
    expect([await fixture.status(1), await fixture.status(2)]).toStrictEqual(['failed', left]);
    const row = await fixture.row(transferId(KEY));
    expect(row.body).toMatchObject({ open: true, status: 'unmatched', reason: 'no_reservation' });
  });

  it('lies in the queue where nothing is inferred any more', async () => {
    const stage = await inferredCredit(true);
    const { fixture } = stage;
    Object.assign(fixture.payments, { infersCredits: false });
    fixture.watcher = await fixture.payments.watcher();
    await stage.move();
    await stage.deepen();
    expect([await fixture.status(1), (await stage.claimed()).claim]).toStrictEqual(['failed', null]);
  });

  it('waits on where its customer names it at checkout, and confirms its payment when it is judged', async () => {
    const stage = await inferredCredit(true);
    const { fixture } = stage;
    const restore = withoutIndex(fixture);
    await stage.move();
    const filed = await fixture.name(pi(1), hash(1), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { reason: 'inferred_already' } });
    await fixture.handleAll();
    await stage.deepen();
    expect(await fixture.status(1)).toBe('confirming');
    await judge(stage, restore);
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('is judged by its payment’s look where its wait was given up', async () => {
    const stage = await inferredCredit(true);
    const { fixture } = stage;
    const restore = withoutIndex(fixture);
    await stage.move();
    expect(await giveUpAll(fixture)).toBe(1);
    await stage.deepen();
    expect(await fixture.status(1)).toBe('confirming');
    await judge(stage, restore);
    const { blockHash, judgedIn } = await stage.claimed();
    expect([await fixture.status(1), judgedIn]).toStrictEqual(['confirmed', blockHash]);
  });

  it('needs no second judgement where its first block comes back', async () => {
    const stage = await inferredCredit(true);
    const { fixture } = stage;
    const comeBack = fixture.payments.chain.branch();
    const restore = withoutIndex(fixture);
    await stage.move();
    comeBack();
    await stage.deepen();
    restore();
    const { blockHash, judgedIn } = await stage.claimed();
    expect([await fixture.status(1), judgedIn]).toStrictEqual(['confirmed', blockHash]);
  });

  it('holds up an exact transfer beside it until it is judged, and is a surplus then', async () => {
    const stage = await inferredCredit(true);
    const { fixture, due } = stage;
    const restore = withoutIndex(fixture);
    await stage.move([fixture.payments.transfer(hash(2), due)]);
    await stage.deepen();
    expect(await fixture.status(1)).toBe('confirming');
    await judge(stage, restore);
    expect(await fixture.status(1)).toBe('overpaid');
  });

  it('leaves its payment to an exact transfer beside it where another payment may be meant', async () => {
    const stage = await inferredCredit(true);
    const { fixture, due } = stage;
    await fixture.payments.quoted(pi(2), '2600');
    await stage.move([fixture.payments.transfer(hash(2), due)]);
    await stage.deepen();
    expect([await fixture.status(1), (await stage.claimed()).claim]).toStrictEqual(['confirmed', null]);
  });

  it('is judged as well where its payment takes no further transfer', async () => {
    const stage = await inferredCredit(true);
    const { fixture, due } = stage;
    const restore = withoutIndex(fixture);
    // The move counts as well.
    const many = Array.from({ length: TRANSFERS_LIMIT - 2 }, (_, index) =>
      fixture.payments.transfer(hash(2 + index), due),
    );
    await stage.move(many);
    restore();
    for (let look = 0; look < 2; look++) await judge(stage, () => undefined);
    const { blockHash, judgedIn } = await stage.claimed();
    expect([await fixture.status(1), judgedIn]).toStrictEqual(['overpaid', blockHash]);
  });
});

it('a transfer inferred at a shared wallet stays in review where a later payment asks for its amount', async () => {
  const value = await askedBeside();
  const { fixture, move, deepen, claimed } = await inferredCredit(false, value);
  await fixture.payments.quoted(pi(2), PRICE_BESIDE);
  await move();
  await deepen();
  expect([await fixture.status(1), await fixture.status(2)]).toStrictEqual(['underpaid', 'awaiting_payment']);
  expect((await claimed()).claim).toBe(pi(1));
});
