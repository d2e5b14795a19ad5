import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

describe('a transaction named by the merchant', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  it('makes a payment short, and its remainder completes it', async () => {
    await fixture.pay(1, due - 5n * fixture.cent);
    expect(await fixture.status(1)).toBe('awaiting_payment');
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
    expect(await fixture.status(1)).toBe('detected');
    expect(await fixture.transferEvents(1)).toStrictEqual([
      'TransferSeen', 'TransferUnmatched', 'CandidatesRanked', 'TransferClaimed',
    ]); // prettier-ignore
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    await fixture.pay(2, 4n * fixture.cent);
    await fixture.name(pi(1), hash(2));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    await fixture.pay(3, fixture.cent);
    await fixture.name(pi(1), hash(3));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('makes a payment over, with the surplus on it', async () => {
    await fixture.pay(1, due + 100n * fixture.cent);
    await fixture.name(pi(1), hash(1));
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('overpaid');
    const last = (await fixture.payments.events(pi(1))).at(-1);
    expect(last).toMatchObject({ type: 'PaymentOverpaid', data: { surplus_base_units: String(100n * fixture.cent) } });
  });

  it('makes an expired payment paid_late', async () => {
    fixture.payments.mineEmpty(16 * 60);
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
    await fixture.pay(1, due - fixture.cent);
    await fixture.name(pi(1), hash(1));
    expect(await fixture.status(1)).toBe('expired');
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('paid_late');
  });

  it('is credited once: to the same payment it is a duplicate, to another one it is taken', async () => {
    await fixture.payments.quoted(pi(2));
    await fixture.pay(1, due - fixture.cent);
    await fixture.name(pi(1), hash(1));
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'duplicate_transaction' });
    await expect(fixture.name(pi(2), hash(1))).rejects.toMatchObject({ code: 'attribution_already_exists' });
    expect((await fixture.transferEvents(1)).filter(type => type === 'TransferClaimed')).toHaveLength(1);
  });

  it('is answered as before when the very same command is sent again', async () => {
    await fixture.pay(1, due - fixture.cent);
    const again = { commandId: 'the same' };
    const first = await fixture.name(pi(1), hash(1), 'merchant', null, again);
    expect(await fixture.name(pi(1), hash(1), 'merchant', null, again)).toStrictEqual(first);
  });

  it('is seen and credited at once where the watcher has not come to it yet', async () => {
    fixture.payments.chain.mine(fixture.payments.transfer(hash(1), due - fixture.cent));
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });

  it('is taken however small it is', async () => {
    await fixture.pay(1, 7n);
    expect(await fixture.transferEvents(1)).toStrictEqual([]);
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
  });

  it('waits for a transaction that is in no block yet, and is attributed when it comes', async () => {
    const filed = await fixture.name(pi(1), hash(1));
    expect(filed).toMatchObject({ kind: 'filed', reference: hash(1), naming: { status: 'pending' } });
    expect(await fixture.name(pi(1), hash(1))).toStrictEqual(filed);
    await fixture.pay(1, due - fixture.cent);
    expect(await fixture.status(1)).toBe('detected');
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({ code: 'duplicate_transaction' });
    await fixture.handleAgain();
    expect(await fixture.transferEvents(1)).toContain('TransferClaimed');
  });

  it.each([
    ['as a day is over', 0, 'attributed'],
    ['a millisecond after it', 1, 'unmatched'],
  ])('is waited for no longer than a day: %s', async (_, offMs, expected) => {
    const startMs = fixture.payments.clock.timeMs;
    await fixture.name(pi(1), hash(1));
    const { chain } = fixture.payments;
    const next = ((await chain.blockAt(chain.height))?.timeMs ?? 0) + 1_000;
    chain.skipTime(startMs + 24 * HOUR_MS + offMs - next);
    chain.mine(fixture.payments.transfer(hash(1), due - fixture.cent));
    fixture.payments.clock.timeMs = startMs + 24 * HOUR_MS + offMs;
    await fixture.settle();
    const row = await fixture.row(transferId({ network: 'base', txHash: hash(1), ordinal: 0 }));
    expect(row.body.status).toBe(expected);
    expect(await fixture.status(1)).toBe(expected === 'attributed' ? 'expired' : 'awaiting_payment');
  });

  it('is filed while no provider answers', async () => {
    await fixture.pay(1, due - fixture.cent);
    fixture.payments.chain.down = true;
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'filed' });
    fixture.payments.chain.down = false;
    await fixture.handleAll();
    expect(await fixture.status(1)).toBe('detected');
  });

  it('names which of several transfers it means', async () => {
    const { payments } = fixture;
    payments.chain.mine(payments.transfer(hash(1), due - fixture.cent), payments.transfer(hash(1), 3n * due));
    await fixture.settle();
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({
      code: 'invalid_log_index',
      message: expect.stringContaining('0, 1'),
    });
    await expect(fixture.name(pi(1), hash(1), 'merchant', 7)).rejects.toMatchObject({ code: 'invalid_log_index' });
    await expect(fixture.name(pi(1), hash(1), 'merchant', 1)).resolves.toMatchObject({ kind: 'attributed' });
    expect(await fixture.transferEvents(1, 0)).not.toContain('TransferClaimed');
  });

  it('must move this token to this address', async () => {
    const { chain } = fixture.payments;
    const lookAlike = {
      ...fixture.payments.transfer(hash(1), due),
      contract: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
    };
    chain.mine(lookAlike, { ...fixture.payments.transfer(hash(2), due), to: SENDER });
    for (const number of [1, 2]) {
      await expect(fixture.name(pi(1), hash(number))).rejects.toMatchObject({
        code: 'invalid_tx_hash',
        message: expect.stringContaining('moves no USDC on base'),
      });
    }
  });

  it('is told the network on which it is', async () => {
    fixture.bnb.mine(fixture.payments.transfer(hash(1), due));
    await expect(fixture.name(pi(1), hash(1))).rejects.toMatchObject({
      code: 'invalid_tx_hash',
      message: 'This transaction is on BNB Smart Chain; the payment is to be made on Base.',
    });
  });

  it('is filed for support where it is a number of an exchange', async () => {
    const filed = await fixture.name(pi(1), 'Internal transfer 123456789012');
    expect(filed).toMatchObject({ kind: 'filed', reference: '123456789012', naming: { status: 'in_review' } });
    expect(await fixture.name(pi(1), '123456789012', 'checkout')).toStrictEqual(filed);
  });
});

describe('a payment that can take none', () => {
  let fixture: MatchingFixture;
  let due: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
  });

  const naming = (text = hash(9)) => expect(fixture.name(pi(1), text)).rejects;

  it('is not there, or is another merchant’s', async () => {
    await expect(fixture.name(pi(7), hash(9))).rejects.toMatchObject({ code: 'payment_not_found' });
    const stranger = { merchantId: 'mch_99999999999999999999999999' };
    await expect(fixture.name(pi(1), hash(9), 'merchant', null, stranger)).rejects.toMatchObject({
      code: 'payment_not_found',
    });
  });

  it('has no quote yet', async () => {
    await fixture.created(2);
    await expect(fixture.name(pi(2), hash(9))).rejects.toMatchObject({ code: 'payment_not_quoted' });
  });

  it('is paid, and what comes on top lies in the queue with its name', async () => {
    await fixture.pay(1, due);
    await fixture.confirm();
    await naming().toMatchObject({ code: 'payment_already_paid' });
    const again = await fixture.pay(2, due);
    const { body } = await fixture.row(again);
    expect(body).toMatchObject({ open: true, status: 'unmatched', reason: 'credit_refused' });
    expect(body.candidates[0]).toMatchObject({ payment_intent: pi(1), distance_base_units: '0' });
    expect(await fixture.reason(again)).toContain('could not take it any more');
    await expect(fixture.name(pi(1), hash(2))).rejects.toMatchObject({ code: 'payment_already_paid' });
  });

  it('is canceled, and its amount that comes all the same lies in the queue, not as a candidate', async () => {
    await fixture.payments.quoted(pi(2));
    await fixture.cancel(1);
    await naming().toMatchObject({ code: 'payment_canceled' });
    const id = await fixture.pay(1, due);
    expect((await fixture.row(id)).body).toMatchObject({ open: true, reason: 'credit_refused' });
    expect(await fixture.candidates(id)).toStrictEqual([pi(2)]);
  });

  it('has failed', async () => {
    await fixture.pay(1, due);
    fixture.payments.chain.reorganise(1);
    await fixture.settle();
    fixture.payments.mineEmpty(200);
    await fixture.settle();
    expect(await fixture.status(1)).toBe('failed');
    await naming().toMatchObject({ code: 'payment_failed' });
    const again = await fixture.pay(2, due);
    expect((await fixture.row(again)).body).toMatchObject({ open: true, reason: 'credit_refused' });
    expect(await fixture.candidates(again)).not.toContain(pi(1));
  });

  it('has expired for a transfer after its window, and gives its amount back', async () => {
    fixture.payments.mineEmpty(16 * 60);
    await fixture.settle();
    await fixture.payments.sweeper().sweep('quote');
    fixture.payments.chain.skipTime(25 * HOUR_MS);
    fixture.payments.clock.timeMs += 25 * HOUR_MS;
    await fixture.pay(1, due - fixture.cent);
    await naming(hash(1)).toMatchObject({ code: 'payment_expired' });
    await fixture.payments.sweeper().sweep('reservation');
    await naming(hash(1)).toMatchObject({ code: 'payment_expired' });
    fixture.payments.clock.timeMs += 30 * DAY_MS;
    await naming(hash(1)).toMatchObject({ code: 'reservation_not_found' });
  });
});

describe('a transaction older than the quote', () => {
  const OLD = hash(1);
  let fixture: MatchingFixture;

  /** Seconds between the transfer and the quote. */
  const quotedAfter = async (seconds: number): Promise<void> => {
    fixture = await new MatchingFixture().start();
    await fixture.pay(1, 3_000n * fixture.cent);
    fixture.payments.chain.skipTime(seconds * 1_000);
    fixture.payments.clock.timeMs += seconds * 1_000;
    await fixture.payments.quoted(pi(1));
    fixture.payments.mineEmpty(2);
    await fixture.settle();
  };

  it.each(['with its place in the transaction', 'without'])('pays nothing when the merchant names it %s', async how => {
    await quotedAfter(300);
    const naming = how === 'without' ? fixture.name(pi(1), OLD) : fixture.name(pi(1), OLD, 'merchant', 0);
    await expect(naming).rejects.toMatchObject({ code: 'reservation_not_found' });
    expect(await fixture.status(1)).toBe('awaiting_payment');
    expect(await fixture.transferEvents(1)).not.toContain('TransferClaimed');
  });

  it('pays where it is older by no more than the clocks may be apart', async () => {
    await quotedAfter(60);
    await expect(fixture.name(pi(1), OLD)).resolves.toMatchObject({ kind: 'attributed' });
  });
});

describe('a transaction named at checkout', () => {
  let fixture: MatchingFixture;
  let due: bigint;
  let other: bigint;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    await fixture.pay(90, 777n * fixture.cent);
    fixture.payments.mineEmpty(2);
    due = await fixture.payments.quoted(pi(1));
    other = await fixture.payments.quoted(pi(2));
    fixture.payments.mineEmpty(2);
  });

  it('is counted where it is nearest to this payment', async () => {
    const value = due < other ? due - 5n * fixture.cent : due + 5n * fixture.cent;
    await fixture.pay(1, value);
    await expect(fixture.name(pi(1), hash(1), 'checkout')).resolves.toMatchObject({ kind: 'attributed' });
  });

  it('is evidence where the amount of another payment is nearer', async () => {
    const value = other < due ? other - 5n * fixture.cent : other + 5n * fixture.cent;
    await fixture.pay(1, value);
    const filed = await fixture.name(pi(1), hash(1), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { status: 'in_review' } });
    expect(await fixture.status(1)).toBe('awaiting_payment');
    expect(await fixture.transferEvents(1)).not.toContain('TransferClaimed');
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
  });

  it('is evidence where the remainder of another payment was nearer, which has come since', async () => {
    const [named, short] = due < other ? [1, 2] : [2, 1];
    await fixture.pay(3, (due < other ? other : due) - 10n * fixture.cent);
    await fixture.name(pi(short), hash(3));
    await fixture.confirm();
    await fixture.pay(4, 10n * fixture.cent);
    await fixture.name(pi(short), hash(4));
    await fixture.confirm();
    expect(await fixture.status(short)).toBe('confirmed');
    await fixture.pay(5, 12n * fixture.cent);
    const filed = await fixture.name(pi(named), hash(5), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { reason: 'another_is_nearer' } });
  });

  it('is evidence where it is older than the quote', async () => {
    const filed = await fixture.name(pi(1), hash(90), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { reason: 'older_than_quote' } });
  });

  it('is evidence where it is far more than was asked for', async () => {
    await fixture.pay(1, 100n * due);
    const filed = await fixture.name(pi(1), hash(1), 'checkout');
    expect(filed).toMatchObject({ naming: { reason: 'far_more_than_asked' } });
  });

  it('is evidence where it was named before it came, too', async () => {
    await fixture.name(pi(1), hash(1), 'checkout');
    await fixture.pay(1, other < due ? other - 5n * fixture.cent : other + 5n * fixture.cent);
    expect(await fixture.status(1)).toBe('awaiting_payment');
    const filed = await fixture.name(pi(1), hash(1), 'checkout');
    expect(filed).toMatchObject({ kind: 'filed', naming: { status: 'in_review' } });
  });
});
