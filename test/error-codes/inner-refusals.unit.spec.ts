import { coverage } from '../../src/modules/coverage/coverage.decider';
import { indexEntries } from '../../src/platform/screening/sanctions-entries';
import { given } from '../support/given-when-then';

const range = (from_number: number, to_number: number) => {
  return {
    from_number,
    from_parent_hash: '0x00',
    to_number,
    to_hash: '0x01',
    to_time: '2026-11-01T12:00:00.000Z',
    providers: [],
  };
};

it('cursor_rewind: sealed blocks join without a gap', () => {
  given(coverage, [{ type: 'CoverageSealed', data: range(1, 10) }])
    .when({ type: 'seal', range: range(12, 20) }, { now: 0, actor: { role: 'watcher', type: 'system', id: 'watcher' } })
    .thenRefused('cursor_rewind');
});

const entry = {
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  network: 'base',
  list_source: 'ofac-sdn',
  reference: '1',
};

it.each([
  ['invalid_sanctions_entry', [{ ...entry, reference: '' }]],
  ['invalid_sanctions_entry', 'all of them'],
  ['invalid_sanctions_address', [{ ...entry, address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C9' }]],
  ['duplicate_sanctions_entry', [entry, { ...entry, address: entry.address.toLowerCase() }]],
])('%s: a list of sanctions is taken as a whole or not at all', (code, rows) => {
  expect(() => indexEntries(rows)).toThrow(expect.objectContaining({ code }));
});
