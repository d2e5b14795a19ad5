import { fold } from '../../../src/kernel/decider';
import { adminOwners } from '../../../src/modules/admins/admin-owners.decider';
import type { AdminOwnersEvent } from '../../../src/modules/admins/admin-owners.events';
import { admins, checkedAdminRole, type AdminCommand } from '../../../src/modules/admins/admin.decider';
import type { AdminEvent } from '../../../src/modules/admins/admin.events';
import { isRefusal } from '../../../src/vocabulary/errors';

const CONTEXT = { actor: { role: 'admin', type: 'system', id: 'cli:alice' }, now: 0 } as const;
const ID = 'adm_00000000000000000000000001';
const OTHER = 'adm_00000000000000000000000002';
const EMAIL = 'owner@pay.example';

const BOOTSTRAPPED: AdminEvent = {
  type: 'AdminBootstrapped',
  data: { email: EMAIL, password_hash: 'hash', totp_secret_sealed: 'sealed' },
};
const CREATED: AdminEvent = { type: 'AdminCreated', data: { email: EMAIL, role: 'owner', password_hash: 'hash' } };
const INVITED: AdminEvent = { type: 'AdminInvited', data: { email: EMAIL, role: 'support' } };
const ACCEPTED: AdminEvent = { type: 'InvitationAccepted', data: { name: 'Ada Vale', password_hash: 'hash' } };
const DISABLED: AdminEvent = { type: 'AdminDisabled', data: { reason: 'Has left.' } };

/** The types of the events that the command makes, or the code of its refusal. */
function outcome(history: readonly AdminEvent[], command: AdminCommand): string {
  try {
    const types = admins.decide(command, fold(admins, history), CONTEXT).map(({ type }) => type);
    return types.length === 0 ? 'nothing' : types.join(', ');
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

const bootstrap: AdminCommand = { type: 'bootstrap', admin: BOOTSTRAPPED.data };
const invite: AdminCommand = { type: 'invite', invitation: INVITED.data };
const accept: AdminCommand = { type: 'accept', role: 'support', name: 'Ada Vale', passwordHash: 'hash' };
const disable: AdminCommand = { type: 'disable', reason: 'Has left.', releasedTerm: null };
const reset: AdminCommand = { type: 'reset_authenticator', reason: 'The phone is lost.' };

it.each([
  ['the first owner', [], bootstrap, 'AdminBootstrapped'],
  ['an address that is taken', [INVITED], bootstrap, 'parameter_invalid'],
  ['an invitation', [], invite, 'AdminInvited'],
  ['the same invitation again', [INVITED], invite, 'nothing'],
  ['an invitation for another role', [{ ...INVITED, data: { email: EMAIL, role: 'viewer' } }], invite, 'AdminInvited'],
  ['an invitation of an administrator', [CREATED], invite, 'parameter_invalid'],
  ['an invitation that is taken', [INVITED], accept, 'InvitationAccepted'],
  ['an invitation that was taken before', [INVITED, ACCEPTED], accept, 'invalid_state_transition'],
  ['an invitation that was withdrawn', [INVITED, DISABLED], accept, 'invalid_state_transition'],
  [
    'the link of a former role',
    [{ ...INVITED, data: { email: EMAIL, role: 'owner' } }],
    accept,
    'invalid_state_transition',
  ],
  ['disabling nobody', [], disable, 'resource_missing'],
  ['disabling an invitation', [INVITED], disable, 'AdminDisabled'],
  ['disabling an administrator of another role', [INVITED, ACCEPTED], disable, 'AdminDisabled'],
  ['disabling an owner who was not released', [CREATED], disable, 'invalid_state_transition'],
  ['disabling an owner in the released term', [CREATED], { ...disable, releasedTerm: 1 }, 'AdminDisabled'],
  ['disabling twice', [INVITED, DISABLED], disable, 'nothing'],
  ['the reset of an authenticator', [BOOTSTRAPPED], reset, 'AuthenticatorReset'],
  ['a reset where nothing is enrolled', [CREATED], reset, 'nothing'],
  ['a reset while disabled', [BOOTSTRAPPED, DISABLED], reset, 'invalid_state_transition'],
] as const satisfies readonly (readonly [string, readonly AdminEvent[], AdminCommand, string])[])(
  'decides %s',
  (_, history, command, expected) => expect(outcome(history, command)).toBe(expected),
);

it('needs a new release after each time as an owner', () => {
  const history: AdminEvent[] = [CREATED, DISABLED, { type: 'AdminEnabled', data: { reason: 'Back.' } }];
  expect(outcome(history, { ...disable, releasedTerm: 1 })).toBe('invalid_state_transition');
  expect(outcome(history, { type: 'give_role', role: 'viewer', releasedTerm: 2 })).toBe('AdminRoleGiven');
});

it('begins anew without authenticator, codes and passkeys after a reset', () => {
  const passkey = { passkey_id: 'psk_1', credential_hash: 'hash', name: 'Laptop' };
  const enrolled: AdminEvent[] = [
    BOOTSTRAPPED,
    { type: 'RecoveryCodesMade', data: { code_hashes: ['one'] } },
    { type: 'PasskeyAdded', data: passkey },
    { type: 'AuthenticatorReset', data: { reason: 'The phone is lost.' } },
  ];
  expect(fold(admins, enrolled)).toMatchObject({
    status: 'active',
    totpSecretSealed: null,
    recoveryCodes: [],
    passkeys: [],
    passwordHash: 'hash',
  });
});

it.each(['king', 'developer', ''])('knows no role %p', role => {
  expect(() => checkedAdminRole(role)).toThrow(expect.objectContaining({ code: 'invalid_role' }));
});

describe('the owners', () => {
  const owner = { userId: ID, term: 1 };
  const other = { userId: OTHER, term: 1 };
  const release = (history: readonly AdminOwnersEvent[], others: readonly (typeof owner)[]) =>
    adminOwners.decide({ type: 'release_owner', owner, others }, fold(adminOwners, history), CONTEXT);

  it('let one go while another one stays', () => {
    expect(release([], [other])).toEqual([{ type: 'AdminOwnerReleased', data: { admin_id: ID, term: 1 } }]);
  });

  it('keep the last one', () => {
    const gone: AdminOwnersEvent = { type: 'AdminOwnerReleased', data: { admin_id: OTHER, term: 1 } };
    for (const refused of [() => release([], []), () => release([gone], [other])])
      expect(refused).toThrow(expect.objectContaining({ code: 'invalid_state_transition' }));
  });

  it('begin once', () => {
    const begin = { type: 'begin', adminId: ID } as const;
    const [first] = adminOwners.decide(begin, adminOwners.initial, CONTEXT);
    expect(first).toEqual({ type: 'FirstAdminMade', data: { admin_id: ID } });
    expect(adminOwners.decide(begin, fold(adminOwners, [first as AdminOwnersEvent]), CONTEXT)).toEqual([]);
  });
});
