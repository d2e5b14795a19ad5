import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { ClockStanding } from '../../vocabulary/clock-standing';
import { refuse } from '../../vocabulary/errors';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { aheadMsOf, type SandboxClockEvent } from './sandbox-clock.events';

/**
 * The greatest lead of a clock over the wall's. The lead is enough for years of daily advances. The year of every time
 * that the clock shows can still be written with four digits.
 */
export const MAX_AHEAD_MS = 3_650 * DAY_MS;
/** Advances of one clock: each of them reads the whole stream. */
export const MAX_ADVANCES = 4_000;

type SandboxClock = {
  readonly aheadMs: number;
  readonly advances: number;
  /** The wall's moment of the last advance, in milliseconds. */
  readonly advancedAtMs: number;
};

/**
 * `wallMs` is the wall's time. The clock's time follows from `wallMs` and the state, so two advances at once add up.
 */
export type SandboxClockCommand =
  | { readonly type: 'advance'; readonly byMs: number; readonly wallMs: number }
  | { readonly type: 'set'; readonly nowMs: number; readonly wallMs: number };

function decide(command: SandboxClockCommand, state: SandboxClock): readonly SandboxClockEvent[] {
  // Processes' wall clocks differ a little, and the moments of a clock's advances must be in order nevertheless.
  const wallMs = Math.max(command.wallMs, state.advancedAtMs);
  const fromMs = wallMs + state.aheadMs;
  const { toMs, param } = goalOf(command, fromMs);
  if (toMs < fromMs) throw refuse('invalid_advance', { param });
  if (toMs === fromMs) return [];
  if (toMs - wallMs > MAX_AHEAD_MS) {
    const message = `A sandbox clock runs ${MAX_AHEAD_MS / DAY_MS} days ahead at most.`;
    throw refuse('invalid_advance', { param, message });
  }
  if (state.advances >= MAX_ADVANCES) {
    throw refuse('invalid_advance', { param, message: `A sandbox clock is advanced ${MAX_ADVANCES} times at most.` });
  }
  const data = { advanced_at: isoTime(wallMs), from: isoTime(fromMs), now: isoTime(toMs) };
  return [{ type: 'SandboxClockAdvanced', data }];
}

function goalOf(command: SandboxClockCommand, fromMs: number): { readonly toMs: number; readonly param: string } {
  switch (command.type) {
    case 'advance':
      return { toMs: fromMs + command.byMs, param: 'advance_ms' };
    case 'set':
      return { toMs: command.nowMs, param: 'now' };
    default:
      return unreachable(command);
  }
}

function evolve(state: SandboxClock, { data }: SandboxClockEvent): SandboxClock {
  const advancedAtMs = parseIsoTime(data.advanced_at);
  return { aheadMs: aheadMsOf(data), advances: state.advances + 1, advancedAtMs };
}

export function standingIn({ aheadMs, advances, advancedAtMs }: SandboxClock): ClockStanding {
  return { aheadMs, advancedAt: advances === 0 ? null : isoTime(advancedAtMs) };
}

/** A merchant's clock of test mode; the stream's id is the merchant's. */
export const sandboxClocks: Aggregate<SandboxClock, SandboxClockCommand, SandboxClockEvent> = {
  category: 'sandbox_clock',
  // The stream's id is the merchant's own, so nobody can ask for another merchant's stream.
  notFound: null,
  initial: { aheadMs: 0, advances: 0, advancedAtMs: 0 },
  decide,
  evolve,
};
