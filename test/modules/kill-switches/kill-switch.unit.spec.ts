import { stops } from '../../../src/modules/kill-switches/kill-switches.read-model';
import { killSwitches, targetOf } from '../../../src/modules/kill-switches/kill-switch.decider';
import { killSwitchId } from '../../../src/modules/kill-switches/kill-switch.events';
import type { KillSwitchEvent } from '../../../src/modules/kill-switches/kill-switch.events';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'system', id: 'cli:alice' }, now: 0 } as const;
const target = { scope: 'merchant', subject: 'mch_00000000000000000000000001' } as const;
const byOperator = { mode: 'live', ground: 'operator' } as const;
const byKyb = { mode: 'live', ground: 'kyb' } as const;

const setFor = (stop: typeof byOperator | typeof byKyb, reason: string): KillSwitchEvent => ({
  type: 'KillSwitchSet',
  data: { ...target, ...stop, reason },
});
const lifted = (stop: typeof byOperator | typeof byKyb, reason: string): KillSwitchEvent => ({
  type: 'KillSwitchLifted',
  data: { ...stop, reason },
});

describe('a kill switch', () => {
  const set = { type: 'set', target, stop: byOperator, reason: ' a complaint ' } as const;
  const lift = { type: 'lift', stop: byOperator, reason: 'answered' } as const;

  it('is set once, lifted once, and set again', () => {
    given(killSwitches, []).when(lift, CONTEXT).then([]);
    given(killSwitches, [])
      .when(set, CONTEXT)
      .then([setFor(byOperator, 'a complaint')]);
    const standing = [setFor(byOperator, 'a complaint')];
    given(killSwitches, standing).when(set, CONTEXT).then([]);
    given(killSwitches, standing)
      .when(lift, CONTEXT)
      .then([lifted(byOperator, 'answered')]);
    const over = [...standing, lifted(byOperator, 'answered')];
    given(killSwitches, over).when(lift, CONTEXT).then([]);
    given(killSwitches, over)
      .when(set, CONTEXT)
      .then([setFor(byOperator, 'a complaint')]);
  });

  it('takes a further reason in the place of the former one', () => {
    const { state } = given(killSwitches, [setFor(byOperator, 'one'), setFor(byOperator, 'other')]);
    expect(state.standing).toEqual([{ ...byOperator, reason: 'other' }]);
  });

  it('of an operator and of verification are lifted each by itself, and so are those of the modes', () => {
    const both = [setFor(byKyb, 'kyb'), setFor(byOperator, 'fraud')];
    expect(given(killSwitches, [...both, lifted(byKyb, 'kyb')]).state.standing).toEqual([
      { ...byOperator, reason: 'fraud' },
    ]);
    expect(given(killSwitches, [...both, lifted(byOperator, 'cleared')]).state.standing).toEqual([
      { ...byKyb, reason: 'kyb' },
    ]);
    given(killSwitches, both)
      .when({ ...lift, stop: { ...byOperator, mode: 'test' } }, CONTEXT)
      .then([]);
  });

  it.each(['', '  ', 'two\nlines', 'x'.repeat(501)])('has no reason such as %j', reason => {
    given(killSwitches, [])
      .when({ ...set, reason }, CONTEXT)
      .thenRefused('invalid_killswitch_reason', 'reason');
    given(killSwitches, [setFor(byOperator, 'one')])
      .when({ ...lift, reason }, CONTEXT)
      .thenRefused('invalid_killswitch_reason', 'reason');
  });

  it('stops a mode on any ground', () => {
    const stop = { ...byKyb, reason: 'kyb', set_at: '2026-11-01T12:00:00.000Z' };
    expect([stops({ stops: [stop] }, 'live'), stops({ stops: [stop] }, 'test'), stops({ stops: [] }, 'live')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(stops(null, 'live')).toBe(false);
  });
});

describe('the subject of a kill switch', () => {
  it.each([
    ['merchant', target.subject],
    ['network', 'tron'],
    ['asset', 'USDT'],
  ])('is a %s: %s', (scope, subject) => {
    expect(targetOf(scope, subject)).toEqual({ scope, subject });
    expect(killSwitchId(targetOf(scope, subject))).toBe(`${scope}:${subject}`);
  });

  it.each([
    ['wallet', target.subject, 'invalid_killswitch_scope'],
    ['toString', 'tron', 'invalid_killswitch_scope'],
    ['merchant', 'Corner Shop', 'invalid_killswitch_subject'],
    ['merchant', 'tron', 'invalid_killswitch_subject'],
    ['network', 'USDT', 'invalid_killswitch_subject'],
    ['asset', 'usdt-tron', 'invalid_killswitch_subject'],
    ['asset', '', 'invalid_killswitch_subject'],
  ])('is refused: %s %s', (scope, subject, code) => {
    expect(() => targetOf(scope, subject)).toThrow(expect.objectContaining({ code }));
  });
});
