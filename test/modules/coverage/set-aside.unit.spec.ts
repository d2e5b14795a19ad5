import { coverageHoleId, coverageHoles } from '../../../src/modules/coverage/coverage-hole.decider';
import type {
  CoverageHoleEvent,
  CoverageHoleExtended,
  CoverageHoleShortened,
} from '../../../src/modules/coverage/coverage-hole.events';
import { deferredTransferId, deferredTransfers } from '../../../src/modules/coverage/deferred-transfer.decider';
import type { DeferredTransferEvent } from '../../../src/modules/coverage/deferred-transfer.events';
import type { ActorRole } from '../../../src/kernel/event';
import { REASON } from '../../../src/vocabulary/reasons';
import { given } from '../../support/given-when-then';

const as = (role: ActorRole) => ({ now: 0, actor: { role, type: 'system', id: 'test' } }) as const;
const TIME = '2026-11-01T12:00:00.000Z';
const place = { network_id: 'base', instance: '8453', block_number: 7, block_hash: '0x07' } as const;
const hole = { ...place, to_number: 7, block_time: TIME, seen_at: TIME, reason: 'disputed', tx_hash: null } as const;
const opened: CoverageHoleEvent = { type: 'CoverageHoleOpened', data: hole };
const extended: CoverageHoleExtended = { type: 'CoverageHoleExtended', data: { to_number: 9, block_hash: '0x09' } };
const start = { block_number: 8, block_time: '2026-11-01T12:00:03.000Z' } as const;
const shortened: CoverageHoleShortened = { type: 'CoverageHoleShortened', data: start };
const read: CoverageHoleEvent = { type: 'CoverageHoleRead', data: {} };
const droppedHole: CoverageHoleEvent = { type: 'CoverageHoleDropped', data: {} };
const closed: CoverageHoleEvent = { type: 'CoverageHoleClosed', data: { note: 'lost' } };

describe('a hole in the coverage', () => {
  const open = { type: 'open', hole } as const;
  const close = { type: 'close', note: ' lost ' } as const;

  it('has a stream for each block', () => {
    expect(coverageHoleId(hole)).toBe('base:8453:7:0x07');
  });

  it.each([
    ['that was never met is opened', [], [opened]],
    ['that is open stays so', [opened], []],
    ['that was read is opened again', [opened, read], [opened]],
    ['whose block came back is opened again', [opened, droppedHole], [opened]],
    ['that was given up stays closed', [opened, closed], []],
  ])('%s', (_, events, then) => {
    given(coverageHoles, events).when(open, as('watcher')).then(then);
  });

  it.each([
    ['read', read],
    ['drop', droppedHole],
  ] as const)('ends once by %s', (type, event) => {
    const end = { type, from: 7, to: 7 };
    given(coverageHoles, []).when(end, as('watcher')).then([]);
    given(coverageHoles, [opened]).when(end, as('watcher')).then([event]);
    given(coverageHoles, [opened, event]).when(end, as('watcher')).then([]);
    given(coverageHoles, [opened, closed]).when(end, as('watcher')).then([]);
  });

  it('grows while it is open, and never shrinks', () => {
    const extend = { type: 'extend', end: extended.data } as const;
    given(coverageHoles, [opened]).when(extend, as('watcher')).then([extended]);
    given(coverageHoles, [opened, extended]).when(extend, as('watcher')).then([]);
    for (const end of [read, droppedHole, closed])
      given(coverageHoles, [opened, end]).when(extend, as('watcher')).then([]);
    given(coverageHoles, []).when(extend, as('watcher')).then([]);
  });

  it.each([
    ['read', read],
    ['drop', droppedHole],
  ] as const)('that grew as it was looked at does not end by %s', (type, event) => {
    given(coverageHoles, [opened, extended]).when({ type, from: 7, to: 7 }, as('watcher')).then([]);
    given(coverageHoles, [opened, extended]).when({ type, from: 7, to: 9 }, as('watcher')).then([event]);
  });

  describe('that was read in part', () => {
    const shorten = (block_number: number, from = 7) =>
      ({ type: 'shorten', from, start: { ...start, block_number } }) as const;

    it('begins with the first block that is unread', () => {
      given(coverageHoles, [opened, extended]).when(shorten(8), as('watcher')).then([shortened]);
      given(coverageHoles, [opened, extended, shortened]).when(shorten(8), as('watcher')).then([]);
      given(coverageHoles, [opened, extended]).when(shorten(7), as('watcher')).then([]);
    });

    it('keeps two blocks at least, and is shortened only while it is open', () => {
      given(coverageHoles, [opened, extended]).when(shorten(9), as('watcher')).then([]);
      given(coverageHoles, [opened, extended]).when(shorten(10), as('watcher')).then([]);
      given(coverageHoles, [opened]).when(shorten(8), as('watcher')).then([]);
      given(coverageHoles, []).when(shorten(8), as('watcher')).then([]);
      for (const end of [read, droppedHole, closed])
        given(coverageHoles, [opened, extended, end]).when(shorten(8), as('watcher')).then([]);
    });

    it('takes no reading that began at another block than the hole does by now', () => {
      const history = [opened, extended, shortened];
      given(coverageHoles, [opened, { ...extended, data: { ...extended.data, to_number: 20 } }])
        .when(shorten(9, 8), as('watcher'))
        .then([]);
      for (const type of ['read', 'drop'] as const)
        given(coverageHoles, history).when({ type, from: 7, to: 9 }, as('watcher')).then([]);
    });

    it('grows and ends as any other', () => {
      const later: CoverageHoleExtended = { type: 'CoverageHoleExtended', data: { to_number: 12, block_hash: '0x12' } };
      const history = [opened, extended, shortened];
      given(coverageHoles, history).when({ type: 'extend', end: later.data }, as('watcher')).then([later]);
      given(coverageHoles, history).when({ type: 'read', from: 8, to: 9 }, as('watcher')).then([read]);
      given(coverageHoles, history).when(close, as('admin')).then([closed]);
    });

    it.each([
      ['while it is open', []],
      ['after it was given up', [closed]],
    ])('holds its first blocks again where they are met unread %s', (_, further) => {
      const again = { ...hole, to_number: 9, block_hash: '0x09' };
      const then: CoverageHoleEvent = { type: 'CoverageHoleOpened', data: again };
      given(coverageHoles, [opened, extended, shortened, ...further])
        .when(open, as('watcher'))
        .then([then]);
      given(coverageHoles, [opened, extended, ...further])
        .when(open, as('watcher'))
        .then([]);
    });
  });

  it('is closed unread by an administrator alone, with a note', () => {
    given(coverageHoles, [opened]).when(close, as('admin')).then([closed]);
    for (const role of ['watcher', 'merchant', 'sweeper', 'api'] as const)
      given(coverageHoles, [opened]).when(close, as(role)).thenRefused('forbidden_actor');
    for (const note of ['', '  ', 'x'.repeat(REASON.max + 1)])
      given(coverageHoles, [opened]).when({ type: 'close', note }, as('admin')).thenRefused('invalid_reason');
  });

  it('is closed only while it is open', () => {
    given(coverageHoles, []).when(close, as('admin')).thenRefused('resource_missing');
    for (const end of [read, droppedHole, closed])
      given(coverageHoles, [opened, end]).when(close, as('admin')).thenRefused('invalid_state_transition');
  });
});

describe('a deferred transfer', () => {
  const transfer = {
    ...place,
    token_id: 'usdc-base',
    tx_hash: '0xaa',
    ordinal: 2,
    from: '0x01',
    to: '0x02',
    value_base_units: '100',
    block_time: TIME,
    seen_at: TIME,
    slot: null,
    fault: 'InvariantViolation',
  } as const;
  const deferred: DeferredTransferEvent = { type: 'TransferDeferred', data: transfer };
  const finished: DeferredTransferEvent = { type: 'DeferredTransferFinished', data: {} };
  const dropped: DeferredTransferEvent = { type: 'DeferredTransferDropped', data: {} };

  it('has a stream for each block that it is seen in', () => {
    expect(deferredTransferId(transfer)).toBe('base:0xaa:2:0x07');
  });

  it('waits once, and again where it met a fault again', () => {
    const defer = { type: 'defer', transfer } as const;
    given(deferredTransfers, []).when(defer, as('watcher')).then([deferred]);
    given(deferredTransfers, [deferred]).when(defer, as('watcher')).then([]);
    for (const end of [finished, dropped])
      given(deferredTransfers, [deferred, end]).when(defer, as('watcher')).then([deferred]);
  });

  it.each([
    ['finish', finished],
    ['drop', dropped],
  ] as const)('ends once by %s', (type, event) => {
    given(deferredTransfers, []).when({ type }, as('watcher')).then([]);
    given(deferredTransfers, [deferred]).when({ type }, as('watcher')).then([event]);
    given(deferredTransfers, [deferred, event]).when({ type }, as('watcher')).then([]);
  });

  const givenUp: DeferredTransferEvent = { type: 'DeferredTransferGivenUp', data: { reason: 'never placed' } };
  const giveUp = { type: 'give_up', reason: ' never placed ' } as const;

  it('is given up by an administrator alone, with a reason', () => {
    given(deferredTransfers, [deferred]).when(giveUp, as('admin')).then([givenUp]);
    for (const role of ['watcher', 'merchant', 'sweeper', 'api'] as const)
      given(deferredTransfers, [deferred]).when(giveUp, as(role)).thenRefused('forbidden_actor');
    for (const reason of ['', '  ', 'x'.repeat(REASON.max + 1)])
      given(deferredTransfers, [deferred]).when({ type: 'give_up', reason }, as('admin')).thenRefused('invalid_reason');
  });

  it('is given up only while it waits, and waits no more after that', () => {
    given(deferredTransfers, []).when(giveUp, as('admin')).thenRefused('resource_missing');
    for (const end of [finished, dropped, givenUp])
      given(deferredTransfers, [deferred, end]).when(giveUp, as('admin')).thenRefused('invalid_state_transition');
    given(deferredTransfers, [deferred, givenUp]).when({ type: 'defer', transfer }, as('watcher')).then([]);
    given(deferredTransfers, [deferred, givenUp]).when({ type: 'finish' }, as('watcher')).then([]);
  });
});
