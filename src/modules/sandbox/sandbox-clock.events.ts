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
