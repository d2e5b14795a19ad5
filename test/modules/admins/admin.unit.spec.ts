import { adminOwners } from '../../../src/modules/admins/admin-owners.decider';
import type { AdminOwnersEvent } from '../../../src/modules/admins/admin-owners.events';
import { admins, checkedAdminRole, type AdminCommand } from '../../../src/modules/admins/admin.decider';
import type { AdminEvent, AdminInvited } from '../../../src/modules/admins/admin.events';
import type { AdminRole } from '../../../src/vocabulary/admin-roles';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import { given } from '../../support/given-when-then';

const CONTEXT = { actor: { role: 'admin', type: 'system', id: 'cli:alice' }, now: 0 } as const;
const ID = 'adm_00000000000000000000000001';
const OTHER = 'adm_00000000000000000000000002';
const EMAIL = 'owner@pay.example';

const BOOTSTRAPPED: AdminEvent = {
  type: 'AdminBootstrapped',
  data: { email: EMAIL, password_hash: 'hash', totp_secret_sealed: 'sealed' },
};
const CREATED: AdminEvent = { type: 'AdminCreated', data: { email: EMAIL, role: 'owner', password_hash: 'hash' } };
const invitedAs = (role: AdminRole): AdminInvited => ({ type: 'AdminInvited', data: { email: EMAIL, role } });
const INVITED = invitedAs('support');
const ACCEPTED: AdminEvent = { type: 'InvitationAccepted', data: { name: 'Ada Vale', password_hash: 'hash' } };
const DISABLED: AdminEvent = { type: 'AdminDisabled', data: { reason: 'Has left.' } };
const RESET: AdminEvent = { type: 'AuthenticatorReset', data: { reason: 'The phone is lost.' } };

const bootstrap: AdminCommand = { type: 'bootstrap', admin: BOOTSTRAPPED.data };
const invite: AdminCommand = { type: 'invite', invitation: INVITED.data };
const accept: AdminCommand = { type: 'accept', role: 'support', name: 'Ada Vale', passwordHash: 'hash' };
const disable: AdminCommand = { type: 'disable', reason: 'Has left.', releasedTerm: null };
const reset: AdminCommand = { type: 'reset_authenticator', reason: 'The phone is lost.' };

it.each<[string, readonly AdminEvent[], AdminCommand, readonly AdminEvent[]]>([
  ['the first owner', [], bootstrap, [BOOTSTRAPPED]],
  ['an invitation', [], invite, [INVITED]],
  ['the same invitation again', [INVITED], invite, []],
  ['an invitation for another role', [invitedAs('viewer')], invite, [INVITED]],
  ['an invitation that is taken', [INVITED], accept, [ACCEPTED]],
  ['disabling an invitation', [INVITED], disable, [DISABLED]],
  ['disabling an administrator of another role', [INVITED, ACCEPTED], disable, [DISABLED]],
  ['disabling an owner in the released term', [CREATED], { ...disable, releasedTerm: 1 }, [DISABLED]],
  ['disabling twice', [INVITED, DISABLED], disable, []],
  ['the reset of an authenticator', [BOOTSTRAPPED], reset, [RESET]],
  ['a reset where nothing is enrolled', [CREATED], reset, []],
])('decides %s', (_, history, command, decided) => {
  given(admins, history).when(command, CONTEXT).then(decided);
});

it.each<[string, readonly AdminEvent[], AdminCommand, ErrorCode]>([
  ['an address that is taken', [INVITED], bootstrap, 'parameter_invalid'],
  ['an invitation of an administrator', [CREATED], invite, 'parameter_invalid'],
  ['an invitation that was taken before', [INVITED, ACCEPTED], accept, 'invalid_state_transition'],
  ['an invitation that was withdrawn', [INVITED, DISABLED], accept, 'invalid_state_transition'],
  ['the link of a former role', [invitedAs('owner')], accept, 'invalid_state_transition'],
  ['disabling nobody', [], disable, 'resource_missing'],
  ['disabling an owner who was not released', [CREATED], disable, 'invalid_state_transition'],
  ['a reset while disabled', [BOOTSTRAPPED, DISABLED], reset, 'invalid_state_transition'],
])('refuses %s', (_, history, command, code) => {
  given(admins, history).when(command, CONTEXT).thenRefused(code);
});

it('needs a new release after each time as an owner', () => {
  const back = given(admins, [CREATED, DISABLED, { type: 'AdminEnabled', data: { reason: 'Back.' } }]);
  back.when({ ...disable, releasedTerm: 1 }, CONTEXT).thenRefused('invalid_state_transition');
  back
    .when({ type: 'give_role', role: 'viewer', releasedTerm: 2 }, CONTEXT)
    .then([{ type: 'AdminRoleGiven', data: { role: 'viewer' } }]);
});

it('begins anew without authenticator, codes and passkeys after a reset', () => {
  const passkey = { passkey_id: 'psk_1', credential_hash: 'hash', name: 'Laptop' };
  const { state } = given(admins, [
    BOOTSTRAPPED,
    { type: 'RecoveryCodesMade', data: { code_hashes: ['one'] } },
    { type: 'PasskeyAdded', data: passkey },
    RESET,
  ]);
  expect(state).toStrictEqual({
    status: 'active',
    email: EMAIL,
    name: null,
    role: 'owner',
    ownerTerm: 1,
    passwordHash: 'hash',
    totpSecretSealed: null,
    recoveryCodes: [],
    hasRecovered: false,
    passkeys: [],
  });
});

it.each(['king', 'developer', ''])('knows no role %p', role => {
  expect(() => checkedAdminRole(role)).toThrow(expect.objectContaining({ code: 'invalid_role' }));
});

describe('the owners', () => {
  const owner = { userId: ID, term: 1 };
  const other = { userId: OTHER, term: 1 };
  const release = (others: readonly (typeof owner)[]) => ({ type: 'release_owner', owner, others }) as const;
  const released = (id: string): AdminOwnersEvent => ({ type: 'AdminOwnerReleased', data: { admin_id: id, term: 1 } });

  it('let one go while another one stays, once', () => {
    given(adminOwners, [])
      .when(release([other]), CONTEXT)
      .then([released(ID)]);
    given(adminOwners, [released(ID)])
      .when(release([other]), CONTEXT)
      .then([]);
  });

  it('keep the last one', () => {
    given(adminOwners, []).when(release([]), CONTEXT).thenRefused('invalid_state_transition');
    given(adminOwners, [released(OTHER)])
      .when(release([other]), CONTEXT)
      .thenRefused('invalid_state_transition');
  });

  it('begin once', () => {
    const begin = { type: 'begin', adminId: ID } as const;
    const first: AdminOwnersEvent = { type: 'FirstAdminMade', data: { admin_id: ID } };
    given(adminOwners, []).when(begin, CONTEXT).then([first]);
    given(adminOwners, [first]).when(begin, CONTEXT).then([]);
  });
});
