import type { ListQuery } from '../../../src/kernel/ports/documents';
import { UnmatchedFollower, type UnmatchedFollowerParts } from '../../../src/processes/matching/unmatched-follower';
import { RecordingLog } from '../../support/fixture-doubles';
import { MemoryDocuments } from '../../support/memory-documents';
import { hash } from './matching-fixture';

const MISSED_LIMIT = 10_000;
const ROWS = MISSED_LIMIT + 1;
/** A round asks for 300 blocks at most, two of them and a receipt for each row. */
const ROUNDS = Math.ceil(ROWS / 100);

/** A receipt that does not bear the transfer out, in a block that is not final. */
const LATER = { blockNumber: Number.MAX_SAFE_INTEGER, succeeded: false, transfers: [] };

/** The rows lie in blocks of their own, which no longer stand on the chain. */
const rows = Array.from({ length: ROWS }, (_, index) => {
  const body = { network_id: 'base', tx_hash: hash(index), ordinal: 0, block_number: index, block_hash: 'gone' };
  return { id: String(index).padStart(6, '0'), version: 1, body };
});

it('waits for ten thousand missed transfers at once, and begins no window for one more', async () => {
  let height = 100_000;
  const settling = new Set<string>();
  const parts = {
    mode: 'test',
    network: 'base',
    log: new RecordingLog(),
    clock: { now: () => 0 },
    documents: new MemoryDocuments(),
    progress: { head: () => Promise.resolve(0), holds: () => Promise.resolve(true) },
    readModels: {
      list: (_: unknown, { after, limit }: ListQuery) => {
        const from = after ? rows.findIndex(({ id }) => id === after.id) + 1 : 0;
        return Promise.resolve(rows.slice(from, from + limit));
      },
    },
    chain: {
      head: () => Promise.resolve({ number: height }),
      finalizedHeight: () => Promise.resolve(height),
      blockAt: (number: number) => Promise.resolve({ number, hash: 'standing' }),
      agreedHash: () => Promise.resolve('standing'),
      // Asked for the transfers whose time to come back is over; one in a later block settles nothing.
      receipt: (txHash: string) => (settling.add(txHash), Promise.resolve(LATER)),
    },
  };
  const follower = new UnmatchedFollower(parts as unknown as UnmatchedFollowerParts);
  for (let round = 0; round < ROUNDS; round++) await follower.follow();
  height += 100_000;
  for (let round = 0; round < 2 * ROUNDS; round++) await follower.follow();
  expect(settling.size).toBe(MISSED_LIMIT);
  expect(settling.has(hash(ROWS - 1))).toBe(false);
});
