import { isoTime } from '../../../src/kernel/clock';
import { systemActor } from '../../../src/kernel/command-context';
import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

const PAYS_NOTHING = /from 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 to itself: such a transfer pays nothing/;

describe('a transfer from the receiving wallet to itself', () => {
  let fixture: MatchingFixture;
  let due: bigint;
  let own: string;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    due = await fixture.payments.quoted(pi(1));
    own = fixture.payments.address;
  });

  it('pays nothing, though its amount is that of a payment', async () => {
    await fixture.pay(1, due, own);
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('awaiting_payment');
    expect(await fixture.transferEvents(1)).toStrictEqual([]);
  });

  it.each([null, 0])('is refused as the transaction of a payment, with log_index %p', async logIndex => {
    await fixture.pay(1, due, own);
    const naming = fixture.name(pi(1), hash(1), 'merchant', logIndex);
    await expect(naming).rejects.toMatchObject({
      code: 'invalid_tx_hash',
      message: expect.stringMatching(PAYS_NOTHING),
    });
    expect(await fixture.status(1)).toBe('awaiting_payment');
  });

  it('is refused for a naming that was filed before it came', async () => {
    await fixture.name(pi(1), hash(1));
    await fixture.pay(1, due, own);
    await fixture.looks.round();
    const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(1)}`);
    expect(state.namings[pi(1)]).toMatchObject({ status: 'refused' });
    expect(await fixture.transferEvents(1)).toStrictEqual([]);
    expect(await fixture.status(1)).toBe('awaiting_payment');
  });

  it('does not hide the transfer of a customer in the same transaction', async () => {
    const { payments } = fixture;
    payments.chain.mine(payments.transfer(hash(1), due, own), payments.transfer(hash(1), due - fixture.cent));
    payments.clock.timeMs += 1_000;
    await fixture.settle();
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'attributed' });
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('underpaid');
  });

  it('is given to nobody where an earlier version has recorded it', async () => {
    const { payments } = fixture;
    const block = payments.chain.mine(payments.transfer(hash(1), due, own));
    const seen = {
      token_id: payments.token.id, from: own, to: own, value_base_units: String(due),
      block_number: block.number, block_hash: block.hash, block_time: isoTime(block.timeMs),
    }; // prettier-ignore
    const key = { network: 'base', txHash: hash(1), ordinal: 0 } as const;
    const context = { ...payments.context(), merchantId: null, actor: systemActor('watcher', 'matching') };
    await payments.writes.execute(transfers, transferStreamId(key), { type: 'see', seen, claim: null }, context);
    await expect(fixture.name(pi(1), hash(1), 'merchant', 0)).rejects.toMatchObject({ code: 'invalid_tx_hash' });
    await expect(fixture.decisions.resolve(key, pi(1), 'By phone', fixture.admin())).rejects.toMatchObject({
      code: 'invalid_resolution',
    });
    expect(await fixture.status(1)).toBe('awaiting_payment');
  });
});
