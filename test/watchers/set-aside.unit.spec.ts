import type { DecisionContext } from '../../src/kernel/decider';
import type { EventStore } from '../../src/kernel/ports/event-store';
import type { ReadModels } from '../../src/kernel/ports/read-models';
import type { WritePath } from '../../src/kernel/write-path';
import {
  coverageHoles,
  type CoverageHole,
  type CoverageHoleCommand,
} from '../../src/modules/coverage/coverage-hole.decider';
import { SetAside } from '../../src/watchers/set-aside';
import { RecordingLog } from '../support/fixture-doubles';
import { stagedCommands } from '../support/staged-writes';

const FROM = 100;
const TO = 9_000;
const TIME = '2026-11-01T12:00:00.000Z';
/** A hole with so many events is shortened no more: its last event must find room in its stream. */
const SHORTENED_UP_TO = 3_000;

/**
 * A set-aside place: a hole of many blocks, whose stream has so many events. Answers the events that are appended to
 * it.
 */
function holeOf(eventCount: number) {
  const place = { network_id: 'base', instance: 'scripted', block_number: FROM, to_number: TO } as const;
  const facts = { block_hash: '0x09', block_time: TIME, seen_at: TIME, reason: 'unreadable', tx_hash: null } as const;
  const state: CoverageHole = { status: 'open', hole: { ...place, ...facts } };
  const history = Array.from({ length: eventCount }, () => ({ type: 'CoverageHoleShortened' }));
  const appended: string[] = [];
  const execute = (_: object, __: string, command: CoverageHoleCommand) => {
    const events = coverageHoles.decide(command, state, {} as DecisionContext);
    appended.push(...events.map(({ type }) => type));
    return Promise.resolve({ events });
  };
  const commands = stagedCommands(
    { load: () => Promise.resolve({ state, history }), execute },
    { merchantNow: () => Promise.resolve(0) },
  );
  const setAside = new SetAside({
    mode: 'test',
    network: 'base',
    instance: 'scripted',
    store: {} as EventStore,
    writes: {} as WritePath,
    readModels: {} as ReadModels,
    commands,
    log: new RecordingLog(),
  });
  return { setAside, appended };
}

describe('a hole that is read in pieces', () => {
  test.each([
    ['shortened while its stream has room', SHORTENED_UP_TO - 1, true],
    ['shortened no more by one event further', SHORTENED_UP_TO, false],
  ])('is %s', async (_name, eventCount, isShortened) => {
    const { setAside, appended } = holeOf(eventCount);
    const start = { block_number: FROM + 250, block_time: TIME };
    expect(await setAside.shortenHole('hole', FROM, start)).toBe(isShortened);
    expect(appended).toStrictEqual(isShortened ? ['CoverageHoleShortened'] : []);
  });

  test.each([
    ['read', 'CoverageHoleRead'],
    ['drop', 'CoverageHoleDropped'],
  ] as const)('can be ended by "%s" when it is shortened no more', async (type, event) => {
    const { setAside, appended } = holeOf(SHORTENED_UP_TO);
    await setAside.endHole('hole', type, FROM, TO);
    expect(appended).toStrictEqual([event]);
  });

  test('is not shortened by a reading of blocks that it does not begin with any more', async () => {
    const { setAside } = holeOf(2);
    const start = { block_number: FROM + 250, block_time: TIME };
    expect(await setAside.shortenHole('hole', FROM - 1, start)).toBe(false);
  });
});
