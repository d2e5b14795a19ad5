import { streamId, type Projection } from '../src/kernel/projection';
import type { SandboxClockEvent } from '../src/modules/sandbox/sandbox-clock.events';
import { sandboxClocksReadModel, type SandboxClockDocument } from '../src/modules/sandbox/sandbox-clocks.read-model';

export const sandboxClocksProjection: Projection<SandboxClockDocument, SandboxClockEvent> = {
  ...sandboxClocksReadModel,
  categories: ['sandbox_clock'],
  mirrors: true,
  key: streamId,
  on: {
    SandboxClockAdvanced: (_, { data, metadata }): SandboxClockDocument => ({
      mode: metadata.mode,
      advanced_at: data.advanced_at,
      now: data.now,
    }),
  },
};
