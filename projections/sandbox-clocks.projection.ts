import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { SandboxClockAdvanced } from '../src/modules/sandbox/sandbox-clock.events';
import { sandboxClocksReadModel, type SandboxClockDocument } from '../src/modules/sandbox/sandbox-clocks.read-model';

export const sandboxClocksProjection: Projection<SandboxClockDocument> = {
  ...sandboxClocksReadModel,
  categories: ['sandbox_clock'],
  mirrors: true,
  key: streamId,
  on: {
    SandboxClockAdvanced: (
      _: SandboxClockDocument | null,
      { data, metadata }: RecordedEvent<SandboxClockAdvanced>,
    ): SandboxClockDocument => ({ mode: metadata.mode, advanced_at: data.advanced_at, now: data.now }),
  },
};
