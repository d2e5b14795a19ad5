import { MINUTE_MS } from '../../src/kernel/clock';
import type { WatchPolicy } from '../../src/vocabulary/watch-policy';
import { NetworkLags } from '../../src/watchers/network-lags';
import { RecordingLog } from '../support/fixture-doubles';
import { ManualClock } from '../support/manual-clock';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const LATE = 5 * MINUTE_MS + 1;

let clock: ManualClock;
let log: RecordingLog;
let coveredUntil: number | null;
let edgeMs: number | null;
let lags: NetworkLags;
let of: (paidAt: WatchPolicy['paidAt']) => NetworkLags;

beforeEach(() => {
  [clock, log] = [new ManualClock(NOW), new RecordingLog()];
  [coveredUntil, edgeMs] = [NOW, null];
  const coverage = {
    get coveredUntil() {
      return coveredUntil;
    },
  };
  const backlog = {
    get edge() {
      return edgeMs === null ? null : { number: 7, parentHash: '0x06', timeMs: edgeMs };
    },
  };
  of = paidAt => new NetworkLags({ mode: 'live', network: 'bnb', policy: { paidAt }, coverage, backlog, clock, log });
  lags = of('block_time');
});

const told = (): readonly string[] => log.lines.splice(0).map(({ level, message }) => `${level}: ${message}`);

test('a network is behind while its newest scanned block is more than five minutes old', () => {
  clock.timeMs += LATE - 1;
  expect(lags.alarm).toBeNull();
  clock.timeMs += 1;
  expect(lags.alarm).toBe('behind');
});

test('a network that was never scanned is behind five minutes after watching began', () => {
  coveredUntil = null;
  clock.timeMs += MINUTE_MS;
  lags.begin();
  clock.timeMs += LATE - 1;
  expect(lags.alarm).toBeNull();
  clock.timeMs += 1;
  expect(lags.alarm).toBe('behind');
});

test('a transfer without a place for more than five minutes makes no network behind that is scanned in time', () => {
  edgeMs = NOW - LATE + 1;
  expect(lags.alarm).toBeNull();
  edgeMs -= 1;
  expect(lags.alarm).toBe('unplaced');
  coveredUntil = NOW - LATE;
  expect(lags.alarm).toBe('behind');
});

test.each([
  [29_999, null],
  [30_000, 'clock'],
  [-29_999, null],
  [-30_000, 'clock'],
])('a clock that is %d ms ahead of the newest block: %p', (aheadMs, alarm) => {
  lags.seeHead({ timeMs: NOW - aheadMs }, NOW);
  expect(lags.alarm).toBe(alarm);
  lags.seeHead({ timeMs: NOW }, NOW);
  expect(lags.alarm).toBeNull();
});

test('a head that was told late is compared with the moment of its answer, not of the question', () => {
  clock.timeMs += 40_000;
  lags.seeHead({ timeMs: NOW + 39_000 }, NOW);
  expect(lags.alarm).toBeNull();
});

test('a local chain has blocks of any time', () => {
  const local = of('first_sight');
  local.seeHead({ timeMs: NOW - LATE }, NOW);
  expect(local.alarm).toBeNull();
});

test('a wrong clock is told with its distance, and hides behind a network that is behind', () => {
  lags.seeHead({ timeMs: NOW - 31_000 }, NOW);
  lags.tell();
  expect(log.lines[0]?.facts).toMatchObject({ clock_ahead_ms: 31_000 });
  expect(told()).toStrictEqual([
    'error: the clock is far from the newest block: it is wrong, or the chain stands still',
  ]);
  coveredUntil = NOW - LATE;
  expect(lags.alarm).toBe('behind');
  coveredUntil = NOW;
  lags.seeHead({ timeMs: NOW }, NOW);
  lags.tell();
  expect(told()).toStrictEqual(['info: the clock is near the newest block again']);
});

test('each is told once when it begins, and once when it is over', () => {
  [coveredUntil, edgeMs] = [NOW - LATE, NOW - LATE];
  lags.tell();
  lags.tell();
  expect(told()).toStrictEqual([
    'error: the watcher is behind its chain',
    'error: transfers have waited too long for a place',
  ]);
  [coveredUntil, edgeMs] = [NOW, null];
  lags.tell();
  lags.tell();
  expect(told()).toStrictEqual([
    'info: the watcher has caught up with its chain',
    'info: transfers find their places in time again',
  ]);
});
