import { DAY_MS, isoTime, MINUTE_MS } from '../../../src/kernel/clock';
import type { DecisionContext } from '../../../src/kernel/decider';
import {
  MAX_ADVANCES,
  MAX_AHEAD_MS,
  sandboxClocks,
  type SandboxClockCommand,
} from '../../../src/modules/sandbox/sandbox-clock.decider';
import type { SandboxClockAdvanced } from '../../../src/modules/sandbox/sandbox-clock.events';
import { given } from '../../support/given-when-then';

const NOON = Date.parse('2026-11-01T12:00:00.000Z');
const CONTEXT: DecisionContext = { actor: { role: 'merchant', type: 'api_key', id: 'key_1' }, now: NOON };

function advanced(atMs: number, fromMs: number, toMs: number): SandboxClockAdvanced {
  const data = { advanced_at: isoTime(atMs), from: isoTime(fromMs), now: isoTime(toMs) };
  return { type: 'SandboxClockAdvanced', data };
}

const advance = (byMs: number, wallMs = NOON): SandboxClockCommand => ({ type: 'advance', byMs, wallMs });
const set = (nowMs: number, wallMs = NOON): SandboxClockCommand => ({ type: 'set', nowMs, wallMs });
/** An hour ahead since noon. */
const ahead = advanced(NOON, NOON, NOON + 60 * MINUTE_MS);

describe('a sandbox clock', () => {
  it('starts as the wall’s', () => {
    given(sandboxClocks, [])
      .when(advance(MINUTE_MS), CONTEXT)
      .then([advanced(NOON, NOON, NOON + MINUTE_MS)]);
    given(sandboxClocks, [])
      .when(set(NOON + DAY_MS), CONTEXT)
      .then([advanced(NOON, NOON, NOON + DAY_MS)]);
  });

  it('goes on ticking, and adds up', () => {
    const later = NOON + 10 * MINUTE_MS;
    given(sandboxClocks, [ahead])
      .when(advance(MINUTE_MS, later), CONTEXT)
      .then([advanced(later, later + 60 * MINUTE_MS, later + 61 * MINUTE_MS)]);
  });

  it('is not moved back, and not at all by nothing', () => {
    given(sandboxClocks, [ahead]).when(advance(0), CONTEXT).then([]);
    given(sandboxClocks, [ahead])
      .when(set(NOON + 60 * MINUTE_MS), CONTEXT)
      .then([]);
    given(sandboxClocks, [ahead])
      .when(set(NOON + 60 * MINUTE_MS - 1), CONTEXT)
      .thenRefused('invalid_advance');
    given(sandboxClocks, []).when(advance(-1), CONTEXT).thenRefused('invalid_advance');
  });

  it('is advanced in order, also by an instance whose wall clock lags', () => {
    given(sandboxClocks, [ahead])
      .when(advance(MINUTE_MS, NOON - 500), CONTEXT)
      .then([advanced(NOON, NOON + 60 * MINUTE_MS, NOON + 61 * MINUTE_MS)]);
  });

  it('runs ahead so far and no further', () => {
    given(sandboxClocks, [])
      .when(advance(MAX_AHEAD_MS), CONTEXT)
      .then([advanced(NOON, NOON, NOON + MAX_AHEAD_MS)]);
    given(sandboxClocks, [])
      .when(advance(MAX_AHEAD_MS + 1), CONTEXT)
      .thenRefused('invalid_advance');
    given(sandboxClocks, [ahead]).when(advance(MAX_AHEAD_MS), CONTEXT).thenRefused('invalid_advance');
  });

  it('is advanced so often and no more', () => {
    const history = Array.from({ length: MAX_ADVANCES }, (_, index) => {
      return advanced(NOON, NOON + index * 1_000, NOON + (index + 1) * 1_000);
    });
    given(sandboxClocks, history).when(advance(1_000), CONTEXT).thenRefused('invalid_advance');
    given(sandboxClocks, history.slice(1))
      .when(advance(1_000), CONTEXT)
      .then([advanced(NOON, NOON + MAX_ADVANCES * 1_000, NOON + (MAX_ADVANCES + 1) * 1_000)]);
  });
});
