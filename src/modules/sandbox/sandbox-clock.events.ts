import { parseIsoTime } from '../../kernel/clock';

export type SandboxClockAdvanced = {
  readonly type: 'SandboxClockAdvanced';
  readonly data: {
    /** The wall's moment of it. */
    readonly advanced_at: string;
    /** What the clock showed just before. */
    readonly from: string;
    /** What it showed from that moment on, ticking. */
    readonly now: string;
  };
};

export type SandboxClockEvent = SandboxClockAdvanced;

/** By how much the clock is ahead of the wall since then. */
export function aheadMsOf({ now, advanced_at }: Pick<SandboxClockAdvanced['data'], 'now' | 'advanced_at'>): number {
  return parseIsoTime(now) - parseIsoTime(advanced_at);
}
