import { refuse } from '../../src/vocabulary/errors';
import { InvariantViolation } from '../../src/kernel/invariant';
import { outageOf, type Outage } from '../../src/kernel/outage';
import { DuplicateKey } from '../../src/kernel/ports/documents';
import { OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../src/kernel/ports/event-store';

const away = new StoreUnavailable('away');

function networkError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function wrapped(error: Error, times: number): Error {
  return times === 0 ? error : new Error('wrapped', { cause: wrapped(error, times - 1) });
}

it.each<[string, unknown, Outage]>([
  ['a store that is away', away, 'engine'],
  ['an append without an answer', new OutcomeUnknown('no answer'), 'engine'],
  ['a refusal that a store caused', refuse('internal_error', { cause: away }), 'engine'],
  ['a provider that is away', refuse('provider_unavailable'), 'provider'],
  ['a provider that talks nonsense', refuse('provider_response_invalid'), 'provider'],
  ['a provider of another chain', refuse('provider_network_mismatch'), 'provider'],
  ['a refused connection', networkError('ECONNREFUSED'), 'provider'],
  ['a name that is not resolved', wrapped(networkError('EAI_AGAIN'), 2), 'provider'],
  ['a time-out', Object.assign(new Error('late'), { name: 'TimeoutError' }), 'provider'],
  ['what is wrapped seven times', wrapped(away, 7), 'engine'],
])('takes %s for an outage', (_, error, outage) => {
  expect(outageOf(error)).toBe(outage);
});

it.each<[string, unknown]>([
  ['a broken invariant', new InvariantViolation('broken')],
  ['a text that is no JSON', new SyntaxError('Unexpected token')],
  ['a refusal by the rules', refuse('invalid_state_transition')],
  ['a lost race', refuse('internal_error', { cause: new WrongExpectedRevision('test.a-1', 1, 2) })],
  ['a document that stands already', new DuplicateKey('users', 'by_email')],
  ['a file that is missing', networkError('ENOENT')],
  ['a text that was thrown', 'StoreUnavailable'],
  ['nothing', undefined],
  ['what is wrapped too deep to be looked at', wrapped(away, 8)],
])('takes %s for the fault of what was asked', (_, error) => {
  expect(outageOf(error)).toBeNull();
});
