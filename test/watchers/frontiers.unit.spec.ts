import type { Collection } from '../../src/kernel/ports/documents';
import type { ReadModels } from '../../src/kernel/ports/read-models';
import { coverageId, type CoverageDocument } from '../../src/watchers/coverage-record';
import { Frontiers } from '../../src/watchers/frontiers';
import { ManualClock } from '../support/manual-clock';

const WATCHED = { mode: 'test', instance: '1', policy: { paidAt: 'block_time' } } as const;
const NETWORKS = (['tron', 'bnb', 'base'] as const).map(network => ({ ...WATCHED, network }));

it('tells the heads in the order of the networks by one question, also of networks that nobody has watched', async () => {
  const asked: (readonly string[])[] = [];
  const coverage = {
    getAll: (ids: readonly string[]) => {
      asked.push(ids);
      return Promise.resolve([
        { id: coverageId('test', 'base'), version: 1, body: { head_number: 30 } },
        { id: coverageId('test', 'tron'), version: 1, body: { head_number: 10 } },
      ]);
    },
  } as unknown as Collection<CoverageDocument>;
  const frontiers = new Frontiers(NETWORKS, coverage, {} as ReadModels, new ManualClock(0));
  expect(await frontiers.heads()).toEqual([10, null, 30]);
  expect(Object.fromEntries(await frontiers.headsOf('test'))).toEqual({ tron: 10, bnb: null, base: 30 });
  expect(asked.map(ids => ids.toSorted())).toEqual(Array(2).fill(['test:base', 'test:bnb', 'test:tron']));
});
