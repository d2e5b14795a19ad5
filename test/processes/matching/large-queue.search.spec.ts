import { collectionSpec } from '../../../projections/runner/projection-collection';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { refuse } from '../../../src/vocabulary/errors';
import { transferId } from '../../../src/modules/transfers/transfer.decider';
import { UnmatchedFollower } from '../../../src/processes/matching/unmatched-follower';
import { searchSize } from '../../levels/search-size';
import { hash, MatchingFixture } from './matching-fixture';

/** Each in a block of its own: more than a round's share, which is of 300 blocks. */
const UNMATCHED = searchSize('UNMATCHED_BLOCKS', { small: 310, full: 450 });
/** A round that is through asks for its share of blocks, and for the head and finality. */
const CALLS_AT_MOST = 310;
/** After which nothing that vanished is waited for any more. */
const LONG_AFTER = 200;

const id = transferId({ network: 'base', txHash: hash(UNMATCHED), ordinal: 0 });

describe('a queue of transfers in hundreds of blocks', () => {
  let fixture: MatchingFixture;
  let calls: number[];

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    const { chain, clock } = fixture.payments;
    for (let number = 1; number <= UNMATCHED; number++) {
      chain.mine(fixture.payments.transfer(hash(number), 7n * fixture.cent * 100n));
      clock.timeMs += 1_000;
    }
    await fixture.settle();
    await fixture.row(id);
    calls = [];
  });

  async function follow(): Promise<void> {
    const { chain } = fixture.payments;
    chain.calls = 0;
    await fixture.follower.follow();
    calls.push(chain.calls);
  }

  it('is looked at in rounds, each of which asks the chain for so many blocks at most', async () => {
    const { chain } = fixture.payments;
    const heights = new Set<number>();
    const [blockAt, agreedHash] = [chain.blockAt.bind(chain), chain.agreedHash.bind(chain)];
    chain.blockAt = height => {
      heights.add(height);
      return blockAt(height);
    };
    chain.agreedHash = height => {
      heights.add(height);
      return agreedHash(height);
    };
    await follow();
    await follow();
    expect(Math.max(...calls)).toBeLessThanOrEqual(CALLS_AT_MOST);
    expect(heights.size).toBeGreaterThanOrEqual(UNMATCHED);
    // The whole queue is found, so that the next look begins at the first block that was not final.
    await follow();
    expect(calls.at(-1)).toBeLessThan(30);
  });

  it('loses what a reorganisation took behind the first round’s share', async () => {
    const { chain } = fixture.payments;
    chain.reorganise(1);
    await follow();
    await follow();
    expect((await fixture.row(id)).body.open).toBe(true);
    fixture.payments.mineEmpty(LONG_AFTER);
    await follow();
    await follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
    expect(Math.max(...calls)).toBeLessThanOrEqual(CALLS_AT_MOST);
  });

  it('loses what stands on the fork of one provider alone, however final its height is', async () => {
    const { chain } = fixture.payments;
    const blockAt = chain.blockAt.bind(chain);
    const place = chain.blockOf(hash(UNMATCHED));
    chain.reorganise(1);
    fixture.payments.mineEmpty(LONG_AFTER);
    chain.blockAt = async height => (height === place?.number ? place : blockAt(height));
    for (let round = 0; round < 3; round++) await follow();
    chain.blockAt = blockAt;
    fixture.payments.mineEmpty(LONG_AFTER);
    for (let round = 0; round < 3; round++) await follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
  });

  it('is followed behind a block that no provider tells of', async () => {
    const { chain } = fixture.payments;
    const blockAt = chain.blockAt.bind(chain);
    const unanswered = chain.blockOf(hash(100))?.number;
    chain.blockAt = height =>
      height === unanswered ? Promise.reject(refuse('provider_unavailable')) : blockAt(height);
    chain.reorganise(1);
    for (let round = 0; round < 3; round++) await follow();
    fixture.payments.mineEmpty(LONG_AFTER);
    for (let round = 0; round < 3; round++) await follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
  });

  it('is looked at from its beginning where what was called final is replaced between two rounds', async () => {
    const { chain } = fixture.payments;
    const first = transferId({ network: 'base', txHash: hash(1), ordinal: 0 });
    await follow();
    await follow();
    fixture.payments.mineEmpty(LONG_AFTER);
    await follow();
    chain.reorganise(UNMATCHED + LONG_AFTER);
    await fixture.settle();
    for (let round = 0; round < 3; round++) await follow();
    fixture.payments.mineEmpty(LONG_AFTER);
    for (let round = 0; round < 6; round++) await follow();
    expect((await fixture.row(first)).body).toMatchObject({ open: false, status: 'reorged_out' });
    expect(Math.max(...calls)).toBeLessThanOrEqual(CALLS_AT_MOST);
  });

  it('is looked at again where its list lacked a transfer in a later round', async () => {
    const { payments } = fixture;
    payments.chain.reorganise(1);
    payments.mineEmpty(LONG_AFTER);
    await follow();
    const collection = await payments.documents.open(collectionSpec(unmatchedTransfersProjection));
    const lacking = await fixture.row(id);
    await collection.deleteAt(id, lacking.version);
    const holds = jest.spyOn(payments.progress, 'holds').mockResolvedValue(false);
    await follow();
    await collection.put(lacking);
    holds.mockRestore();
    for (let round = 0; round < 2; round++) await follow();
    payments.mineEmpty(LONG_AFTER);
    for (let round = 0; round < 2; round++) await follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
  });

  it('is not looked at once more by a process that has started since', async () => {
    const { chain } = fixture.payments;
    fixture.payments.mineEmpty(LONG_AFTER);
    // Rows that were recorded in the last minutes would be looked at.
    fixture.payments.clock.timeMs += 20 * MINUTE_MS;
    for (let round = 0; round < 3; round++) await follow();
    const restarted = new UnmatchedFollower(fixture.follower['parts']);
    chain.calls = 0;
    await restarted.follow();
    // The head, finality, the last final block, and the checked one.
    expect(chain.calls).toBeLessThanOrEqual(4);
    // A block that was checked is replaced: all is looked at again.
    chain.reorganise(LONG_AFTER + 1);
    for (let round = 0; round < 2; round++) await restarted.follow();
    fixture.payments.mineEmpty(LONG_AFTER);
    for (let round = 0; round < 4; round++) await restarted.follow();
    expect((await fixture.row(id)).body).toMatchObject({ open: false, status: 'reorged_out' });
  });
});
