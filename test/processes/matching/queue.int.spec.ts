import { namings } from '../../../src/modules/transfers/naming.decider';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { TransferCredit } from '../../../src/processes/matching/transfer-credit';
import { FaultyStore, Killed } from '../../simulation/faulty-store';
import { DyingStore } from './dying-store';
import { DEPTH, hash, keyOf, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

describe('the queue of unmatched transfers', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  const resolve = (number = 1, payment = pi(1), note = 'The customer called') =>
    fixture.decisions.resolve(keyOf(number), payment, note, fixture.admin());

  it('ranks whose a transfer may be, and credits nobody', async () => {
    await fixture.payments.quoted(pi(2), '7000');
    const id = await fixture.pay(1, due - 100n * fixture.cent);
    const { candidates } = (await fixture.row(id)).body;
    expect(candidates[0]).toMatchObject({ payment_intent: pi(1), distance_base_units: String(100n * fixture.cent) });
    expect(await fixture.reason(id)).toBe(
      'Short by 1, which exchanges take off a withdrawal; paid 1 second after the quote.',
    );
    expect(await fixture.status(1)).toBe('awaiting_payment');
  });

  it('finds two parts of one amount, whichever came first', async () => {
    const first = await fixture.pay(1, 1_234_567n, SENDER);
    const second = await fixture.pay(2, due - 1_234_567n, SENDER);
    expect(await fixture.reason(second)).toContain(first);
    expect(await fixture.reason(first)).toContain(second);
    expect(await fixture.candidates(first)).toContain(pi(1));
  });

  it('says that a sender has paid before', async () => {
    await fixture.pay(1, due, SENDER);
    await fixture.confirm();
    const other = await fixture.payments.quoted(pi(2), '9900');
    const id = await fixture.pay(2, other - 100n * fixture.cent, SENDER);
    expect((await fixture.candidates(id))[0]).toBe(pi(2));
    expect(await fixture.reason(id)).toContain('from a sender who has paid this merchant before');
  });

  it('gives a transfer to the payment that an administrator names, once', async () => {
    const id = await fixture.pay(1, due - fixture.cent);
    await resolve();
    expect(await fixture.status(1)).toBe('detected');
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'attributed', payment_intent: pi(1) });
    await expect(resolve()).rejects.toMatchObject({ code: 'unmatched_transfer_already_resolved' });
    const reopen = fixture.decisions.reopen(keyOf(1), 'A mistake', fixture.admin());
    await expect(reopen).rejects.toMatchObject({ code: 'unmatched_transfer_not_resolved' });
  });

  it('gives none to a payment that cannot take it, nor one that the chain does not show', async () => {
    const id = await fixture.pay(1, due - fixture.cent);
    await expect(resolve(1, pi(8))).rejects.toMatchObject({ code: 'payment_not_found' });
    await expect(resolve(8)).rejects.toMatchObject({
      code: 'unmatched_transfer_not_found',
    });
    await fixture.created(2);
    await expect(resolve(1, pi(2))).rejects.toMatchObject({ code: 'payment_not_quoted' });
    fixture.payments.chain.reorganise(1);
    await expect(resolve()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect((await fixture.row(id)).body.status).toBe('unmatched');
  });

  it('shows a credit that failed, and opens the row again', async () => {
    const id = await fixture.pay(1, due - fixture.cent);
    const finish = Reflect.get(TransferCredit.prototype, 'finish');
    // The payment is canceled between the look at it and the credit.
    jest.spyOn(TransferCredit.prototype, 'finish').mockImplementationOnce(async function (
      this: TransferCredit,
      ...credit
    ) {
      await fixture.cancel(1);
      return finish.apply(this, credit);
    });
    await expect(resolve()).rejects.toMatchObject({ code: 'attribution_failed' });
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'attribution_failed' });
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'payment_canceled' });
    await fixture.payments.quoted(pi(2));
    await expect(fixture.name(pi(2), hash(1))).rejects.toMatchObject({ code: 'unmatched_transfer_already_resolved' });
    await expect(fixture.decisions.reopen(keyOf(1), ' ', fixture.admin())).rejects.toMatchObject({
      code: 'invalid_reason',
    });
    await fixture.decisions.reopen(keyOf(1), 'For the other order', fixture.admin());
    await resolve(1, pi(2));
    expect(await fixture.status(2)).toBe('detected');
  });

  it.each([{ hasFailed: true }, { to: `0x${'55'.repeat(20)}` }])(
    'loses what came back and paid nothing here, once that is final: %o',
    async changes => {
      const { chain } = fixture.payments;
      const transfer = fixture.payments.transfer(hash(1), 7n * fixture.cent * 100n);
      chain.mine(transfer);
      await fixture.settle();
      const id = transferId({ network: 'base', txHash: hash(1), ordinal: 0 });
      chain.reorganise(1, [{ ...transfer, ...changes }]);
      await fixture.follower.follow();
      fixture.payments.mineEmpty(DEPTH - 1);
      await fixture.follower.follow();
      expect((await fixture.row(id)).body).toMatchObject({ open: true });
      fixture.payments.mineEmpty(60);
      await fixture.follower.follow();
      expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
    },
  );

  it('loses what a reorganisation took that went below what had been called final', async () => {
    const id = await fixture.pay(1, due - fixture.cent);
    fixture.payments.mineEmpty(60);
    await fixture.follower.follow();
    fixture.payments.chain.reorganise(70);
    await fixture.settle();
    await fixture.follower.follow();
    fixture.payments.mineEmpty(200);
    await fixture.follower.follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
  });

  it.each([
    ['agree that it stands', true],
    ['do not agree', false],
  ])('keeps what one provider has lost while they %s', async (_name, isAgreed) => {
    const { chain } = fixture.payments;
    const id = await fixture.pay(1, due - fixture.cent);
    chain.isAgreed = isAgreed;
    jest.spyOn(chain, 'blockAt').mockResolvedValue(null);
    jest.spyOn(chain, 'receipt').mockResolvedValue(null);
    await fixture.follower.follow();
    fixture.payments.mineEmpty(200);
    await fixture.follower.follow();
    expect((await fixture.row(id)).body.open).toBe(true);
  });

  describe('with hundreds of transfers of one block', () => {
    const UNMATCHED = 210;
    /** Head, finalized height, and each of two heights once. */
    const CALLS_AT_MOST = 4;

    beforeEach(async () => {
      const { chain } = fixture.payments;
      const unmatched = Array.from({ length: UNMATCHED }, (_, index) =>
        fixture.payments.transfer(hash(index + 1), 7n * fixture.cent * 100n),
      );
      chain.mine(...unmatched);
      await fixture.settle();
      await fixture.row(transferId({ network: 'base', txHash: hash(UNMATCHED), ordinal: 0 }));
      chain.calls = 0;
    });

    it('asks the chain once for their height in each round', async () => {
      const { chain } = fixture.payments;
      await fixture.follower.follow();
      expect(chain.calls).toBeLessThanOrEqual(CALLS_AT_MOST);
    });

    it('asks the chain once which block stands there in their place', async () => {
      const { chain } = fixture.payments;
      chain.reorganise(1);
      await fixture.follower.follow();
      fixture.payments.mineEmpty(200);
      const agreed = jest.spyOn(chain, 'agreedHash');
      await fixture.follower.follow();
      expect(agreed).toHaveBeenCalledTimes(1);
      const id = transferId({ network: 'base', txHash: hash(UNMATCHED), ordinal: 0 });
      expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
    });
  });

  it('gives what moved its whole time to come back once more', async () => {
    const { chain } = fixture.payments;
    const transfer = fixture.payments.transfer(hash(1), 7n * fixture.cent * 100n);
    const id = transferId({ network: 'base', txHash: hash(1), ordinal: 0 });
    chain.mine(transfer);
    await fixture.settle();
    chain.reorganise(1, [transfer]);
    await fixture.follower.follow();
    await fixture.settle();
    fixture.payments.mineEmpty(100);
    chain.reorganise(1 + chain.height - (chain.blockOf(hash(1))?.number ?? 0));
    await fixture.follower.follow();
    expect((await fixture.row(id)).body.open).toBe(true);
    fixture.payments.mineEmpty(100);
    await fixture.follower.follow();
    expect((await fixture.row(id)).body.open).toBe(false);
  });

  it('loses what a reorganisation took for good, and gets what came back', async () => {
    const id = await fixture.pay(1, due - fixture.cent);
    await fixture.follower.follow();
    fixture.payments.chain.reorganise(1);
    await fixture.settle();
    await fixture.follower.follow();
    expect((await fixture.row(id)).body.open).toBe(true);
    fixture.payments.mineEmpty(200);
    await fixture.follower.follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
    await expect(resolve()).rejects.toMatchObject({ code: 'unmatched_transfer_not_found' });
    await fixture.pay(1, due - fixture.cent);
    expect((await fixture.row(id)).body).toMatchObject({ open: true, status: 'unmatched' });
  });
});

describe('a kill between credit and the answer to whom has named it', () => {
  it('leaves the claim attributed, though the payment takes no more by then', async () => {
    const store = new DyingStore();
    const fixture = await new MatchingFixture({ store }).start();
    const due = await fixture.payments.quoted(pi(1));
    await fixture.name(pi(1), hash(1));
    store.diesAt = 'TransferDetected';
    await fixture.pay(1, due + 50n * fixture.cent).catch(() => undefined);
    expect(store.isDead).toBe(true);
    store.diesAt = null;
    store.revive();
    await fixture.payments.project('', await fixture.payments.events(pi(1)));
    fixture.payments.mineEmpty(DEPTH + 1);
    fixture.watcher = await fixture.payments.watcher();
    await fixture.watcher.tick();
    expect(await fixture.status(1)).toBe('overpaid');
    await fixture.handleAgain();
    const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(1)}`);
    expect(state.namings[pi(1)]).toMatchObject({ status: 'attributed' });
  });
});

describe('a kill between claim and credit', () => {
  it.each([
    ['written', true],
    ['not written', false],
  ])('is mended by the group, the claim %s', async (_, isWritten) => {
    const store = new FaultyStore();
    const fixture = await new MatchingFixture({ store }).start();
    const due = await fixture.payments.quoted(pi(1));
    await fixture.pay(1, due - fixture.cent);
    store.killAfter({ afterAppends: 0, isWritten });
    await expect(fixture.name(pi(1), hash(1))).rejects.toBeInstanceOf(Killed);
    store.revive();
    expect(await fixture.status(1)).toBe('awaiting_payment');
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe(isWritten ? 'detected' : 'awaiting_payment');
    await fixture.handleAgain();
    const credits = (await fixture.payments.eventTypes(pi(1))).filter(type => type === 'TransferDetected');
    expect(credits).toHaveLength(isWritten ? 1 : 0);
  });

  it('is mended by the group where an administrator resolved', async () => {
    const store = new FaultyStore();
    const fixture = await new MatchingFixture({ store }).start();
    const due = await fixture.payments.quoted(pi(1));
    await fixture.pay(1, due - fixture.cent);
    store.killAfter({ afterAppends: 0, isWritten: true });
    const context = fixture.admin();
    await expect(fixture.decisions.resolve(keyOf(1), pi(1), 'By phone', context)).rejects.toBeInstanceOf(Killed);
    store.revive();
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe('detected');
    // The administrator's own second try finds its work done.
    await fixture.decisions.resolve(keyOf(1), pi(1), 'By phone', context);
    expect(await fixture.transferEvents(1)).toStrictEqual([
      'TransferSeen', 'TransferUnmatched', 'CandidatesRanked', 'TransferResolved',
    ]); // prettier-ignore
  });

  it('is shown by the group where the payment ended meanwhile', async () => {
    const store = new FaultyStore();
    const fixture = await new MatchingFixture({ store }).start();
    const due = await fixture.payments.quoted(pi(1));
    const [claimed, resolved] = [
      await fixture.pay(1, due - fixture.cent),
      await fixture.pay(2, due - 2n * fixture.cent),
    ];
    store.killAfter({ afterAppends: 0, isWritten: true });
    await expect(fixture.name(pi(1), hash(1))).rejects.toBeInstanceOf(Killed);
    store.revive();
    store.killAfter({ afterAppends: 0, isWritten: true });
    await expect(fixture.decisions.resolve(keyOf(2), pi(1), 'By phone', fixture.admin())).rejects.toBeInstanceOf(
      Killed,
    );
    store.revive();
    await fixture.cancel(1);
    await fixture.handleAll();
    expect((await fixture.row(claimed)).body).toMatchObject({ status: 'unmatched', reason: 'credit_refused' });
    expect((await fixture.row(resolved)).body).toMatchObject({ status: 'attribution_failed' });
    expect(await fixture.status(1)).toBe('canceled');
  });
});
