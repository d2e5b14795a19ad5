import { deadlinesProjection } from '../../../projections/deadlines.projection';
import { checkpointUpTo } from '../../../projections/runner/checkpoint-wait';
import { Checkpoints, NOTHING_COVERED } from '../../../projections/runner/checkpoints';
import type { LogPosition } from '../../../src/kernel/log-position';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';

describe('waiting for deadlines that another process projects', () => {
  const clock = new ManualClock(NOON);
  const { version } = deadlinesProjection;
  const facts = { ...NOTHING_COVERED, version, generation: 0, state: 'following', error: null } as const;
  const [before, reached, beyond] = [1_193, 1_310, 1_404] as LogPosition[] as [LogPosition, LogPosition, LogPosition];

  async function at(position: LogPosition) {
    const documents = new MemoryDocuments();
    const checkpoints = await Checkpoints.open(documents, clock);
    await checkpoints.save(deadlinesProjection.name, null, { ...facts, position, events_per_second: 0 });
    return checkpointUpTo(deadlinesProjection.name, { documents, clock });
  }

  it('is over once its checkpoint has come so far', async () => {
    const upTo = await at(reached);
    await expect(upTo(reached, 1_000)).resolves.toBeUndefined();
    await expect(upTo(before, 1_000)).resolves.toBeUndefined();
  });

  it('is given up after its time', async () => {
    const upTo = await at(reached);
    await expect(upTo(beyond, 1_000)).rejects.toThrow(`has not come to ${beyond} in time`);
  });

  it('is given up where nobody projects', async () => {
    const upTo = checkpointUpTo(deadlinesProjection.name, { documents: new MemoryDocuments(), clock });
    await expect(upTo(before, 1_000)).rejects.toThrow(`has not come to ${before} in time`);
  });
});
