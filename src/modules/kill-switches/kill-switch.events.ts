import type { Mode } from '../../vocabulary/modes';
import { REASON } from '../../vocabulary/reasons';
import type { TextRule } from '../../vocabulary/text-rules';

export const KILL_SWITCH_SCOPES = ['merchant', 'network', 'asset'] as const;
export type KillSwitchScope = (typeof KILL_SWITCH_SCOPES)[number];
/** The subject of a switch: the id of a merchant, a network, or the symbol of an asset. */
export type KillSwitchTarget = { readonly scope: KillSwitchScope; readonly subject: string };

/** The reason for which a switch is set or lifted. */
export const KILL_SWITCH_REASON = { ...REASON, isOneLine: true } as const satisfies TextRule;

/** The id of the stream of a target. */
export function killSwitchId({ scope, subject }: KillSwitchTarget): string {
  return `${scope}:${subject}`;
}

/**
 * The authority behind a stop. A merchant that is not verified yet is stopped by `kyb`. Verification and an operator
 * never lift each other's stop.
 */
export const KILL_SWITCH_GROUNDS = ['operator', 'kyb'] as const;
export type KillSwitchGround = (typeof KILL_SWITCH_GROUNDS)[number];

/** The mode takes no new payments of the subject from now on. A further reason takes the place of the former one. */
type KillSwitchSet = {
  readonly type: 'KillSwitchSet';
  readonly data: {
    readonly scope: KillSwitchScope;
    readonly subject: string;
    readonly mode: Mode;
    readonly ground: KillSwitchGround;
    readonly reason: string;
  };
};

type KillSwitchLifted = {
  readonly type: 'KillSwitchLifted';
  readonly data: { readonly mode: Mode; readonly ground: KillSwitchGround; readonly reason: string };
};

export type KillSwitchEvent = KillSwitchSet | KillSwitchLifted;
