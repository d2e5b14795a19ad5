import { dataKeys } from '../../../src/modules/keyring/keyring.decider';
import type { KeyringEvent, Wrapping } from '../../../src/modules/keyring/keyring.events';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'system', id: 'keyring' }, now: 0 } as const;
const FORMER: Wrapping = { wrapping_key: 'key_one_', wrapped: 'bm9uY2U.Zmlyc3Q' };
const CURRENT: Wrapping = { wrapping_key: 'key_two_', wrapped: 'bm9uY2U.c2Vjb25k' };
const MADE: KeyringEvent = { type: 'DataKeyMade', data: FORMER };
const REWRAPPED: KeyringEvent = { type: 'DataKeyRewrapped', data: CURRENT };

it('makes a data key with one wrapping', () => {
  given(dataKeys, [])
    .when({ type: 'make', wrappings: [FORMER] }, CONTEXT)
    .then([MADE]);
});

it('makes a data key with a wrapping by each key, the current one last', () => {
  given(dataKeys, [])
    .when({ type: 'make', wrappings: [FORMER, CURRENT] }, CONTEXT)
    .then([MADE, REWRAPPED]);
});

it('makes no key in the place of another', () => {
  given(dataKeys, [MADE])
    .when({ type: 'make', wrappings: [CURRENT] }, CONTEXT)
    .then([]);
});

it('wraps a key anew, once', () => {
  given(dataKeys, [MADE]).when({ type: 'rewrap', wrapping: CURRENT }, CONTEXT).then([REWRAPPED]);
  given(dataKeys, [MADE, REWRAPPED])
    .when({ type: 'rewrap', wrapping: { ...CURRENT, wrapped: 'b3RoZXI.c2Vjb25k' } }, CONTEXT)
    .then([]);
});

it('wraps a key by its former wrapping key again, which then is the newest', () => {
  const again = { ...FORMER, wrapped: 'b3RoZXI.Zmlyc3Q' };
  const { state } = given(dataKeys, [MADE, REWRAPPED, { type: 'DataKeyRewrapped', data: again }]);
  expect(state.wrappings.map(({ wrapping_key }) => wrapping_key)).toEqual(['key_one_', 'key_two_', 'key_one_']);
  given(dataKeys, [MADE, REWRAPPED])
    .when({ type: 'rewrap', wrapping: again }, CONTEXT)
    .then([{ type: 'DataKeyRewrapped', data: again }]);
});

it('wraps no key that was not made', () => {
  expect(() => given(dataKeys, []).when({ type: 'rewrap', wrapping: CURRENT }, CONTEXT)).toThrow('is made before');
});
