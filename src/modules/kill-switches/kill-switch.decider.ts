import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import { NETWORK_IDS } from '../../vocabulary/networks';
import { keepsRule } from '../../vocabulary/text-rules';
import { TOKEN_IDS, TOKENS } from '../../vocabulary/tokens';
import {
  KILL_SWITCH_REASON,
  KILL_SWITCH_SCOPES,
  type KillSwitchEvent,
  type KillSwitchGround,
  type KillSwitchScope,
  type KillSwitchTarget,
} from './kill-switch.events';

const NETWORKS: readonly string[] = NETWORK_IDS;
const ASSETS: readonly string[] = TOKEN_IDS.map(id => TOKENS[id].asset);

/** A subject has one stop for each mode and ground. */
export type Stop = { readonly mode: Mode; readonly ground: KillSwitchGround };
type StandingStop = Stop & { readonly reason: string };

type KillSwitch = { readonly standing: readonly StandingStop[] };

type KillSwitchCommand = { readonly stop: Stop; readonly reason: string } & (
  { readonly type: 'set'; readonly target: KillSwitchTarget } | { readonly type: 'lift' }
);

/** Throws Refusal invalid_killswitch_scope or invalid_killswitch_subject. */
export function targetOf(text: string, subject: string): KillSwitchTarget {
  const scope = KILL_SWITCH_SCOPES.find(each => each === text);
  if (scope === undefined) throw refuse('invalid_killswitch_scope', { param: 'scope' });
  if (!isSubject(scope, subject)) throw refuse('invalid_killswitch_subject', { param: 'subject' });
  return { scope, subject };
}

function isSubject(scope: KillSwitchScope, subject: string): boolean {
  switch (scope) {
    case 'merchant':
      return isId('mch', subject);
    case 'network':
      return NETWORKS.includes(subject);
    case 'asset':
      return ASSETS.includes(subject);
    default:
      return unreachable(scope);
  }
}

function decide(command: KillSwitchCommand, { standing }: KillSwitch): readonly KillSwitchEvent[] {
  const { type, stop } = command;
  const reason = reasonOf(command.reason);
  const known = standing.find(each => isSame(each, stop));
  switch (type) {
    case 'set':
      return known?.reason === reason ? [] : [{ type: 'KillSwitchSet', data: { ...command.target, ...stop, reason } }];
    case 'lift':
      return known ? [{ type: 'KillSwitchLifted', data: { ...stop, reason } }] : [];
    default:
      return unreachable(type);
  }
}

function reasonOf(text: string): string {
  const reason = text.trim();
  if (!keepsRule(reason, KILL_SWITCH_REASON)) {
    const message = `A reason has 1 to ${KILL_SWITCH_REASON.max} characters, in one line.`;
    throw refuse('invalid_killswitch_reason', { param: 'reason', message });
  }
  return reason;
}

function evolve({ standing }: KillSwitch, { type, data }: KillSwitchEvent): KillSwitch {
  const others = standing.filter(each => !isSame(each, data));
  if (type === 'KillSwitchLifted') return { standing: others };
  const { mode, ground, reason } = data;
  return { standing: [...others, { mode, ground, reason }] };
}

/** Whether two stops of one subject are the same one. */
export function isSame(one: Stop, other: Stop): boolean {
  return one.mode === other.mode && one.ground === other.ground;
}

export const killSwitches: Aggregate<KillSwitch, KillSwitchCommand, KillSwitchEvent> = {
  category: 'kill_switch',
  notFound: null,
  initial: { standing: [] },
  decide,
  evolve,
};
