import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import { pi } from './matching-fixture';
import { inferredCredit, KEY, withoutIndex, type MovedInference } from './moved-inference-stage';

describe('a transfer that was inferred at a dedicated wallet, in another block', () => {
  let stage: MovedInference;

  beforeEach(async () => {
    stage = await inferredCredit(true);
  });

  it('confirms its payment only once it is judged there', async () => {
    const { fixture } = stage;
    const restore = withoutIndex(fixture);
    await stage.move();
    await stage.deepen();
    expect(await fixture.status(1)).toBe('confirming');
    restore();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect(await fixture.status(1)).toBe('confirmed');
    const { blockHash, judgedIn } = await stage.claimed();
    expect(judgedIn).toBe(blockHash);
  });

  it('never confirms it where two payments may be meant by then', async () => {
    const { fixture } = stage;
    await fixture.payments.quoted(pi(2), '2600');
    const restore = withoutIndex(fixture);
    await stage.move();
    await stage.deepen();
    restore();
    await fixture.watcher?.retrySetAside();
    await fixture.confirm();
    expect([(await stage.claimed()).claim, await fixture.status(1)]).toStrictEqual([null, 'failed']);
  });

  it('is judged by its payment’s next look, where its block was read before', async () => {
    const { fixture } = stage;
    const before = await fixture.payments.writes.load(transfers, 'test', transferStreamId(KEY));
    if (before.state.status === 'none' || before.state.evidence === null) throw new Error('not inferred');
    const { seen, evidence } = before.state;
    await stage.move();
    const slow = { type: 'infer', seen, paymentIntent: pi(1), evidence } as const;
    await fixture.payments.writes.execute(transfers, transferStreamId(KEY), slow, {
      ...fixture.payments.context(),
      actor: { role: 'watcher', type: 'system', id: 'sys_slow' },
    });
    expect((await stage.claimed()).judgedIn).toBe(seen.block_hash);
    await stage.deepen();
    expect(await fixture.status(1)).toBe('confirmed');
    const { blockHash, judgedIn } = await stage.claimed();
    expect([blockHash, judgedIn]).not.toContain(seen.block_hash);
  });
});

it('a transfer that was inferred at a shared wallet waits for no judgement: its merchant has the last word', async () => {
  const { fixture, move, deepen } = await inferredCredit(false);
  const restore = withoutIndex(fixture);
  await move();
  await deepen();
  expect(await fixture.status(1)).toBe('underpaid');
  restore();
});
