import { hash, MatchingFixture, pi } from './matching-fixture';

let fixture: MatchingFixture;
let due: bigint;
let dust: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
  dust = fixture.cent / 2n;
});

describe('a transfer below a hundredth of a token', () => {
  it('that is named and moves is followed to where it is: the payment is not left waiting for it', async () => {
    const { payments } = fixture;
    await fixture.pay(1, due);
    payments.chain.mine(payments.transfer(hash(2), dust));
    payments.clock.timeMs += 1_000;
    await fixture.name(pi(1), hash(2));
    payments.chain.reorganise(1);
    payments.chain.mine(payments.transfer(hash(2), dust));
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    await fixture.confirm();
    await fixture.confirm();
    expect((await fixture.transferEvents(2)).filter(type => type === 'TransferSeen')).toHaveLength(2);
    expect(await fixture.status(1)).toBe('overpaid');
  });

  it('that is named before it comes is seen as it comes', async () => {
    await fixture.name(pi(1), hash(2));
    await fixture.pay(2, dust);
    expect(await fixture.transferEvents(2)).toContain('TransferClaimed');
    expect(await fixture.status(1)).toBe('detected');
  });

  it('that nobody has named, or seen, gets no stream, nor does one of nothing', async () => {
    await fixture.name(pi(1), hash(3));
    await fixture.pay(2, dust);
    await fixture.pay(3, 0n);
    expect(await fixture.transferEvents(2)).toStrictEqual([]);
    expect(await fixture.transferEvents(3)).toStrictEqual([]);
  });
});
