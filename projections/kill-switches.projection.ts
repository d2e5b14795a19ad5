import { streamId, type Projection } from '../src/kernel/projection';
import { isSame, type Stop } from '../src/modules/kill-switches/kill-switch.decider';
import type { KillSwitchEvent } from '../src/modules/kill-switches/kill-switch.events';
import { killSwitchesReadModel, type KillSwitchDocument } from '../src/modules/kill-switches/kill-switches.read-model';

type Stops = KillSwitchDocument['stops'];

export const killSwitchesProjection: Projection<KillSwitchDocument, KillSwitchEvent> = {
  ...killSwitchesReadModel,
  categories: ['kill_switch'],
  mirrors: true,
  key: streamId,
  on: {
    KillSwitchSet: (doc, { data, metadata }) => {
      const { scope, subject, mode, ground, reason } = data;
      const stop = { mode, ground, reason, set_at: metadata.occurred_at };
      return { scope, subject, is_set: true, stops: [...othersOf(doc, data), stop] };
    },
    KillSwitchLifted: (doc, { data }) => {
      const stops = othersOf(doc, data);
      return doc && { ...doc, is_set: stops.length > 0, stops };
    },
  },
};

function othersOf(doc: KillSwitchDocument | null, stop: Stop): Stops {
  return doc?.stops.filter(each => !isSame(each, stop)) ?? [];
}
