import { deadlinesProjection } from '../../../projections/deadlines/deadlines.projection';
import { Checkpoints } from '../../../projections/runner/checkpoints';
import { checkpointUpTo } from '../../../src/sandbox';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON } from '../../support/payment-fixture';

describe('waiting for deadlines that another process projects', () => {
  const clock = new ManualClock(NOON);
  const facts = { version: deadlinesProjection.version, generation: 0, state: 'following', error: null } as const;

  async function at(position: number) {
    const documents = new MemoryDocuments();
    const checkpoints = await Checkpoints.open(documents, clock);
    await checkpoints.save(deadlinesProjection.name, null, { ...facts, position, events_per_second: 0 });
    return checkpointUpTo({ documents, clock });
  }

  it('is over once its checkpoint has come so far', async () => {
    const upTo = await at(7);
    await expect(upTo(7, 1_000)).resolves.toBeUndefined();
    await expect(upTo(6, 1_000)).resolves.toBeUndefined();
  });

  it('is given up after its time', async () => {
    const upTo = await at(7);
    await expect(upTo(8, 1_000)).rejects.toThrow('has not come to 8 in time');
  });

  it('is given up where nobody projects', async () => {
    const upTo = checkpointUpTo({ documents: new MemoryDocuments(), clock });
    await expect(upTo(0, 1_000)).rejects.toThrow('has not come to 0 in time');
  });
});
