import { MINUTE_MS } from '../../../src/kernel/clock';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

async function begin() {
  const fixture = await new MatchingFixture({ infers: true, toleranceBps: 100 }).start();
  const due = await fixture.payments.quoted(pi(1));
  return { fixture, payments: fixture.payments, due, short: (due * 995n) / 1_000n };
}

/** Each minute brings blocks enough, and another try of a screening that did not answer. */
async function confirmFor(minutes: number, fixture: MatchingFixture): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    fixture.payments.clock.timeMs += MINUTE_MS;
    await fixture.confirm();
  }
}

describe('an exact transfer beside an inferred one confirms the payment', () => {
  it('while nobody knows whether the inferred one comes back to the chain', async () => {
    const { fixture, payments, due, short } = await begin();
    await fixture.pay(1, short, SENDER);
    payments.chain.reorganise(1, []);
    await fixture.pay(2, due);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('while the screening of the inferred one does not answer', async () => {
    const { fixture, payments, due, short } = await begin();
    payments.verdicts.set(SENDER, 'silent');
    await fixture.pay(1, short, SENDER);
    await fixture.pay(2, due);
    await confirmFor(3, fixture);
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('in its review while the screening of the inferred one answers no more', async () => {
    const { fixture, payments, due, short } = await begin();
    await fixture.pay(1, short, SENDER);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
    payments.verdicts.set(SENDER, 'silent');
    await fixture.pay(2, due);
    await confirmFor(3, fixture);
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('while a payer of high risk has sent the inferred one, who is looked at only where it counts', async () => {
    const { fixture, payments, due, short } = await begin();
    payments.verdicts.set(SENDER, 'high_risk');
    await fixture.pay(1, short, SENDER);
    await fixture.pay(2, due);
    await fixture.confirm();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('after the inferred one moved to another block, where two payments may be meant', async () => {
    const { fixture, payments, due, short } = await begin();
    await fixture.pay(1, short, SENDER);
    await payments.quoted(pi(2), '2600');
    payments.chain.reorganise(1, [payments.transfer(hash(1), short, SENDER)]);
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    expect(await fixture.status(1)).toBe('detected');
    await fixture.pay(2, due);
    await fixture.confirm();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });

  it('as it does alone, where the chain’s clock is a little ahead at the quote’s end', async () => {
    const { fixture, payments, due, short } = await begin();
    await fixture.pay(1, short, SENDER);
    payments.chain.skipTime(16 * MINUTE_MS);
    payments.clock.timeMs += 16 * MINUTE_MS;
    await fixture.pay(2, due);
    await fixture.confirm();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
  });
});

it('reads no stream of a payment at each tick while its inferred transfer is on the way to its depth', async () => {
  const { fixture, payments, short } = await begin();
  await fixture.pay(1, short, SENDER);
  for (let tick = 0; tick < 2; tick++) {
    payments.mineEmpty(1);
    await fixture.settle();
  }
  expect(await fixture.status(1)).toBe('confirming');
  const reads = jest.spyOn(payments.store, 'readStream');
  payments.mineEmpty(1);
  await fixture.watcher?.tick();
  expect(reads.mock.calls.filter(([stream]) => stream.includes(pi(1)))).toEqual([]);
});
