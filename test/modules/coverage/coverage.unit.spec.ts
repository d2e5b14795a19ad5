import { coverage } from '../../../src/modules/coverage/coverage.decider';
import type { CoverageEvent } from '../../../src/modules/coverage/coverage.events';
import { findGaps } from '../../../src/modules/coverage/coverage-gaps';
import { given } from '../../support/given-when-then';

const TIME = '2026-11-01T12:00:00.000Z';
const PROVIDERS = ['one.example'];
const context = { now: 0, actor: { role: 'watcher', type: 'system', id: 'watcher' } } as const;

const started = (number: number, hash = `h${number}`): CoverageEvent => ({
  type: 'CoverageStarted',
  data: { number, hash, time: TIME },
});
const range = (from: number, to: number, parent = `h${from - 1}`, hash = `h${to}`) => ({
  from_number: from,
  from_parent_hash: parent,
  to_number: to,
  to_hash: hash,
  to_time: TIME,
  providers: PROVIDERS,
});
const sealed = (...args: Parameters<typeof range>): CoverageEvent => ({ type: 'CoverageSealed', data: range(...args) });
const replaced = (from: number, to: number, hash: string): CoverageEvent => ({
  type: 'CoverageReplaced',
  data: { from_number: from, to_number: to, to_hash: hash, to_time: TIME, providers: PROVIDERS },
});

describe('sealing', () => {
  it('begins once', () => {
    const start = { type: 'start', block: { number: 7, hash: 'h7', time: TIME } } as const;
    given(coverage, [])
      .when(start, context)
      .then([started(7)]);
    given(coverage, [started(7)])
      .when(start, context)
      .then([]);
  });

  it('joins ranges without a gap, and takes none twice', () => {
    given(coverage, [sealed(8, 10)])
      .when({ type: 'seal', range: range(11, 20) }, context)
      .then([sealed(11, 20)]);
    given(coverage, [sealed(8, 10)])
      .when({ type: 'seal', range: range(9, 10) }, context)
      .then([]);
    given(coverage, [sealed(8, 10)])
      .when({ type: 'seal', range: range(9, 20) }, context)
      .then([sealed(11, 20)]);
    given(coverage, [sealed(8, 10)])
      .when({ type: 'seal', range: range(12, 20) }, context)
      .thenRefused('cursor_rewind');
  });

  it('goes on from the hash that a reorganisation put in the place of the last one', () => {
    const replace = {
      type: 'replace',
      range: { from_number: 9, to_number: 10, to_hash: 'x10', to_time: TIME, providers: PROVIDERS },
    } as const;
    given(coverage, [sealed(8, 10)])
      .when(replace, context)
      .then([replaced(9, 10, 'x10')]);
    given(coverage, [sealed(8, 9)])
      .when(replace, context)
      .then([]);
    given(coverage, [sealed(8, 10), replaced(9, 10, 'x10')])
      .when({ type: 'seal', range: range(11, 20) }, context)
      .then([sealed(11, 20, 'x10')]);
  });
});

describe('the gap finder', () => {
  it.each<[string, readonly CoverageEvent[], number, ReturnType<typeof findGaps>]>([
    ['a start alone', [started(7)], 7, []],
    ['ranges that join', [started(7), sealed(8, 10), sealed(11, 20)], 20, []],
    [
      'a range that is missing',
      [started(7), sealed(8, 10), sealed(21, 30)],
      30,
      [{ kind: 'unscanned', from_number: 11, to_number: 20 }],
    ],
    [
      'the first range missing',
      [started(7), sealed(11, 20)],
      20,
      [{ kind: 'unscanned', from_number: 8, to_number: 10 }],
    ],
    [
      'the last range missing',
      [started(7), sealed(8, 10)],
      20,
      [{ kind: 'unscanned', from_number: 11, to_number: 20 }],
    ],
    ['everything missing', [], 5, [{ kind: 'unscanned', from_number: 0, to_number: 5 }]],
    [
      'a range of another chain',
      [started(7), sealed(8, 10), sealed(11, 20, 'other')],
      20,
      [{ kind: 'unlinked', from_number: 11, to_number: 20 }],
    ],
    ['blocks that were replaced', [started(7), sealed(8, 10), replaced(9, 10, 'x10'), sealed(11, 20, 'x10')], 20, []],
    [
      'a seal that does not know of a replacement',
      [started(7), sealed(8, 10), replaced(9, 10, 'x10'), sealed(11, 20)],
      20,
      [{ kind: 'unlinked', from_number: 11, to_number: 20 }],
    ],
    [
      'replaced blocks in two epochs',
      [
        started(7),
        sealed(8, 10),
        sealed(11, 20),
        replaced(9, 10, 'x10'),
        replaced(11, 20, 'x20'),
        sealed(21, 30, 'x20'),
      ],
      30,
      [],
    ],
  ])('%s', (_, events, sealedTo, gaps) => {
    expect(findGaps(events, sealedTo, [])).toStrictEqual(gaps);
  });

  it('names the blocks that were passed unread, above the sealed ones too', () => {
    const unread = [
      { from_number: 9, to_number: 9 },
      { from_number: 12, to_number: 40 },
    ];
    const gaps = unread.map(hole => ({ kind: 'unread', ...hole }));
    expect(findGaps([started(7), sealed(8, 10)], 10, unread)).toStrictEqual(gaps);
  });
});
