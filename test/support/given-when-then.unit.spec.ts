import type { DecisionContext } from '../../src/kernel/decider';
import { refuse } from '../../src/vocabulary/errors';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { HISTORIES } from '../modules/payment-intents/histories';
import { given } from './given-when-then';

type Counted = { readonly type: 'Counted'; readonly data: { readonly by: number; readonly note: string | null } };

const counter = {
  initial: 0,
  decide: (by: readonly number[], state: number): readonly Counted[] => {
    if (state + by.reduce((sum, each) => sum + each, 0) > 10) throw refuse('amount_too_large');
    return by.map(each => counted(each));
  },
  evolve: (state: number, { data }: Counted) => state + data.by,
};
const counted = (by: number): Counted => ({ type: 'Counted', data: { by, note: null } });
const context: DecisionContext = { actor: { role: 'api', type: 'api_key', id: 'key_1' }, now: 0 };

it('passes for exactly the events that were decided', () => {
  given(counter, [counted(1)])
    .when([2, 3], context)
    .then([counted(2), counted(3)]);
  given(counter, []).when([], context).then([]);
});

it.each<[string, readonly Counted[]]>([
  ['one event too few', [counted(2)]],
  ['one event too many', [counted(2), counted(3), counted(4)]],
  ['another order', [counted(3), counted(2)]],
  ['a member that is missing', [counted(2), { type: 'Counted', data: { by: 3 } } as Counted]],
  ['a member too many', [counted(2), { type: 'Counted', data: { by: 3, note: null, more: 1 } } as Counted]],
  ['another kind of value', [counted(2), { type: 'Counted', data: { by: '3', note: null } } as unknown as Counted]],
  ['undefined for null', [counted(2), { type: 'Counted', data: { by: 3, note: undefined } } as unknown as Counted]],
  ['nothing', []],
])('fails for %s', (_, expected) => {
  expect(() => given(counter, []).when([2, 3], context).then(expected)).toThrow();
});

it('goes on from the state that the given events make', () => {
  given(counter, [counted(9)])
    .when([2], context)
    .thenRefused('amount_too_large');
  given(counter, [counted(8)])
    .when([2], context)
    .then([counted(2)]);
});

it('fails when a refusal was expected and none came, another came, or one came unexpected', () => {
  expect(() => given(counter, []).when([2], context).thenRefused('amount_too_large')).toThrow('yet it decided');
  const tooLarge = expect.objectContaining({ code: 'amount_too_large' }) as Error;
  expect(() => given(counter, []).when([11], context).thenRefused('amount_too_small')).toThrow(tooLarge);
  expect(() => given(counter, []).when([11], context).then([])).toThrow(tooLarge);
});

it('lets an error through that is no refusal', () => {
  const broken = {
    ...counter,
    decide: () => {
      throw new TypeError('broken');
    },
  };
  expect(() => given(broken, []).when([], context)).toThrow('broken');
});

it('fails on a history whose facts the table of transitions does not allow', () => {
  const expiredTwice = [...HISTORIES.expired, ...HISTORIES.expired.slice(-1)];
  expect(() => given(paymentIntents, expiredTwice)).toThrow('cannot take fact 4 of those given: {"data":{"quote');
  expect(() => given(paymentIntents, HISTORIES.detected.slice(1))).toThrow('cannot take fact 1 of those given');
  for (const history of Object.values(HISTORIES)) given(paymentIntents, history);
});

it('fails on a decided fact that the state ignores', () => {
  const forgetful = { ...counter, evolve: (state: number) => state };
  expect(() =>
    given(forgetful, [])
      .when([2], context)
      .then([counted(2)]),
  ).toThrow('cannot take fact 1 of those decided');
});

it('fails where folding at once comes to another state', () => {
  expect(() => given({ ...counter, evolveAll: () => 7 }, [counted(9)])).toThrow('evolveAll');
  expect(given({ ...counter, evolveAll: () => 9 }, [counted(9)]).state).toBe(9);
});

it('answers the state that the decided facts lead to', () => {
  const situation = given(counter, [counted(1)]);
  expect(situation.state).toBe(1);
  expect(situation.when([2], context).then([counted(2)])).toBe(3);
  expect(situation.when([2, 3], context).thenTypes(['Counted', 'Counted'])).toBe(6);
  expect(() => situation.when([2, 3], context).thenTypes(['Counted'])).toThrow('the decision differs');
});

it('tells how a decision ended, for a rule over many states', () => {
  expect(given(counter, []).when([2, 3], context).outcome()).toStrictEqual(['Counted', 'Counted']);
  expect(given(counter, []).when([11], context).outcome()).toBe('amount_too_large');
});

it('holds the field at fault against the refusal, where the test names one', () => {
  const named = {
    ...counter,
    decide: () => {
      throw refuse('parameter_invalid', { param: 'by' });
    },
  };
  given(named, []).when([], context).thenRefused('parameter_invalid', 'by');
  expect(() => given(named, []).when([], context).thenRefused('parameter_invalid', null)).toThrow('yet it is at by');
  expect(given(named, []).when([], context).thenRefused('parameter_invalid')).toMatchObject({ param: 'by' });
});
