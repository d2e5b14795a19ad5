import { InMode, Reason } from '../../../../platform/http/fields/admin-fields';
import { Text } from '../../../../platform/http/fields/text-fields';
import { refuse } from '../../../../vocabulary/errors';
import type { Mode } from '../../../../vocabulary/modes';
import { LiftKillSwitch, SetKillSwitch } from '../../../kill-switches/kill-switch.command';
import { KILL_SWITCH_REASON, KILL_SWITCH_SCOPES } from '../../../kill-switches/kill-switch.events';
import { killSwitchesReadModel } from '../../../kill-switches/kill-switches.read-model';
import { row, settingAction, type ActionReads } from '../admin-action';

class SetKillSwitchDto {
  @Text({
    code: 'invalid_killswitch_scope',
    later: { enum: KILL_SWITCH_SCOPES },
    description: 'The kind of what is stopped',
    example: 'network',
  })
  scope!: string;

  @Text({
    code: 'invalid_killswitch_subject',
    description: 'The id of a merchant, a network, or the symbol of an asset',
    example: 'tron',
  })
  subject!: string;

  @InMode()
  mode!: Mode;

  @Reason('invalid_killswitch_reason', KILL_SWITCH_REASON)
  reason!: string;
}

class LiftKillSwitchDto {
  @InMode()
  mode!: Mode;

  @Reason('invalid_killswitch_reason', KILL_SWITCH_REASON)
  reason!: string;
}

type Target = { readonly scope: string; readonly subject: string };

const REFUSES = ['invalid_killswitch_scope', 'invalid_killswitch_subject', 'invalid_killswitch_reason'] as const;

const idOf = ({ scope, subject }: Target): string => `${scope}:${subject}`;

/** Throws Refusal invalid_killswitch_scope for what has the form of no switch. */
function switchOf(id: string): Target {
  const [scope = '', ...subject] = id.split(':');
  if (subject.length !== 1) throw refuse('invalid_killswitch_scope');
  return { scope, subject: subject[0] ?? '' };
}

/** The reason for which an operator stops the mode; null without a stop. */
async function standing({ find }: ActionReads, id: string, mode: Mode): Promise<string | null> {
  const found = await find(killSwitchesReadModel, ['platform'], id);
  return found?.body.stops.find(stop => stop.mode === mode && stop.ground === 'operator')?.reason ?? null;
}

const stopOf = (mode: Mode) => ({ mode, ground: 'operator' }) as const;

export const setKillSwitch = settingAction({
  permission: 'kill_switch.set',
  path: 'kill_switches',
  summary: 'Stop new payments of a merchant, on a network or in an asset',
  body: SetKillSwitchDto,
  refuses: REFUSES,
  targetOf: idOf,
  look: async (reads, { target, body }) => ({ reason: await standing(reads, target, body.mode) }),
  difference: (found, { mode, reason }) => [
    row('switch', found.reason === null ? 'lifted' : 'set', 'set'),
    row('mode', null, mode),
    row('reason', found.reason, reason),
  ],
  words: (_, { body: { scope, subject, mode } }) => ({
    does: 'Stops new payments from the next request on. Payments under way are carried on to their end.',
    to: `The ${scope} ${subject}, ${mode} mode.`,
    cannotUndo: 'Payments that are refused meanwhile are lost to their merchants. The switch can be lifted.',
  }),
  command: ({ body: { scope, subject, mode, reason }, execution }) =>
    new SetKillSwitch(scope, subject, stopOf(mode), reason, execution.context),
});

export const liftKillSwitch = settingAction({
  permission: 'kill_switch.set',
  path: 'kill_switches/:id/lift',
  summary: 'Lift a switch of an operator',
  body: LiftKillSwitchDto,
  refuses: REFUSES,
  look: async (reads, { target, body }) => ({
    ...switchOf(target),
    reason: await standing(reads, target, body.mode),
  }),
  difference: (found, { mode, reason }) => [
    row('switch', found.reason === null ? 'lifted' : 'set', 'lifted'),
    row('mode', null, mode),
    row('reason', found.reason, reason),
  ],
  words: ({ scope, subject }, { body: { mode } }) => ({
    does: 'Takes new payments again from the next request on, where nothing else stops them.',
    to: `The ${scope} ${subject}, ${mode} mode.`,
    cannotUndo: 'Nothing: the switch can be set again.',
  }),
  command: ({ target, body: { mode, reason }, execution }) => {
    const { scope, subject } = switchOf(target);
    return new LiftKillSwitch(scope, subject, stopOf(mode), reason, execution.context);
  },
});
