import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { SandboxClockAdvanced } from '../../src/modules/sandbox/sandbox-clock.events';

/** The clock of a merchant that has advanced it; its id is the merchant's. */
export type SandboxClockDocument = {
  readonly mode: string;
  /** The wall's moment of the last advance. */
  readonly advanced_at: string;
  /** What it showed from then on, ticking. */
  readonly now: string;
};

export const sandboxClocksProjection: Projection<SandboxClockDocument> = {
  name: 'sandbox_clocks',
  version: 1,
  categories: ['sandbox_clock'],
  mirrors: true,
  key: streamId,
  indexes: { by_advanced: ['mode', 'advanced_at', 'id'] },
  on: {
    SandboxClockAdvanced: (
      _: SandboxClockDocument | null,
      { data, metadata }: RecordedEvent<SandboxClockAdvanced>,
    ): SandboxClockDocument => ({ mode: metadata.mode, advanced_at: data.advanced_at, now: data.now }),
  },
};
