import { MINUTE_MS } from '../../src/kernel/clock';
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
  lags = new NetworkLags({ mode: 'live', network: 'bnb', coverage, backlog, clock, log });
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
