import { parseIsoTime } from '../../kernel/clock';

export type SandboxClockAdvanced = {
  readonly type: 'SandboxClockAdvanced';
  readonly data: {
    /** The wall's moment of the advance. */
    readonly advanced_at: string;
    /** The clock's time just before. */
    readonly from: string;
    /** The clock's time from that moment on, ticking. */
    readonly now: string;
  };
};

export type SandboxClockEvent = SandboxClockAdvanced;

/** The lead of the clock over the wall's since then. */
export function aheadMsOf({ now, advanced_at }: Pick<SandboxClockAdvanced['data'], 'now' | 'advanced_at'>): number {
  return parseIsoTime(now) - parseIsoTime(advanced_at);
}
