import type { ReadModel } from '../../kernel/ports/read-models';
import type { Mode } from '../../vocabulary/modes';
import { killSwitchId, type KillSwitchGround, type KillSwitchScope } from './kill-switch.events';

/** All stops of one subject, in both modes; none where all were lifted. */
export type KillSwitchDocument = {
  readonly scope: KillSwitchScope;
  readonly subject: string;
  readonly is_set: boolean;
  readonly stops: readonly {
    readonly mode: Mode;
    readonly ground: KillSwitchGround;
    readonly reason: string;
    readonly set_at: string;
  }[];
};

export const killSwitchesReadModel: ReadModel<KillSwitchDocument> = {
  name: 'kill_switches',
  version: 1,
  indexes: { by_set: ['is_set', 'id'] },
};

/** The document of a subject's switch, for a reading of what can be withdrawn. */
export function killSwitchAsked(scope: KillSwitchScope, subject: string) {
  return { readModel: killSwitchesReadModel, universe: 'platform', id: killSwitchId({ scope, subject }) } as const;
}

type Standing = Pick<KillSwitchDocument, 'stops'> | null | undefined;

/** The grounds on which the switch stops the mode. A subject without a document has never been stopped. */
export function groundsOf(killSwitch: Standing, mode: Mode): readonly KillSwitchGround[] {
  return killSwitch?.stops.filter(stop => stop.mode === mode).map(({ ground }) => ground) ?? [];
}

/** Whether the switch stops the mode, on whatever ground. */
export function stops(killSwitch: Standing, mode: Mode): boolean {
  return groundsOf(killSwitch, mode).length > 0;
}
