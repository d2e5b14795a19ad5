import type { DecisionContext } from '../../../src/kernel/decider';
import { MAX_PASSKEYS } from '../../../src/modules/users/credentials';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { checkedRole, users } from '../../../src/modules/users/user.decider';
import type { UserEvent, UserRegistered } from '../../../src/modules/users/user.events';
import { isRefusal } from '../../../src/vocabulary/errors';
import { USER_ROLES } from '../../../src/vocabulary/roles';
import { given } from '../../support/given-when-then';

const admin: DecisionContext = { actor: { role: 'admin', type: 'admin', id: 'adm_1' }, now: 0 };
const [MERCHANT, OTHER, EMAIL] = ['mch_1', 'mch_2', 'a@b.example'];
const data: UserRegistered['data'] = {
  merchant_id: MERCHANT,
  email: EMAIL,
  password_hash: 'hash',
  totp_secret_sealed: 'sealed',
};
const registered: UserEvent = { type: 'UserRegistered', data };
const signUp = { merchant_id: MERCHANT, email: EMAIL, name: 'Ada', password_hash: 'hash' };
const signedUp: UserEvent = { type: 'UserSignedUp', data: signUp };
const invitation = { merchant_id: MERCHANT, email: EMAIL, role: 'finance' } as const;
const invited: UserEvent = { type: 'UserInvited', data: invitation };
const accepted: UserEvent = { type: 'InvitationAccepted', data: { name: 'Bo', password_hash: 'hash' } };
const withdrawn: UserEvent = { type: 'InvitationWithdrawn', data: {} };
const disabled: UserEvent = { type: 'UserDisabled', data: {} };
const enabled: UserEvent = { type: 'UserEnabled', data: {} };
const enrolled: UserEvent = { type: 'TotpEnrolled', data: { totp_secret_sealed: 'sealed' } };
const codesMade: UserEvent = { type: 'RecoveryCodesMade', data: { code_hashes: ['c1', 'c2'] } };
const codeUsed: UserEvent = { type: 'RecoveryCodeUsed', data: { code_hash: 'c1' } };
const member = [invited, accepted] as const;

describe('the address of a user', () => {
  it('is taken by one account', () => {
    given(users, []).when({ type: 'register', user: data }, admin).then([registered]);
    given(users, [registered]).when({ type: 'register', user: data }, admin).thenRefused('parameter_invalid', 'email');
    given(users, []).when({ type: 'sign_up', user: signUp }, admin).then([signedUp]);
    for (const taken of [[registered], [signedUp], member, [signedUp, disabled]]) {
      given(users, taken).when({ type: 'sign_up', user: signUp }, admin).thenRefused('parameter_invalid', 'email');
      given(users, taken).when({ type: 'invite', invitation }, admin).thenRefused('parameter_invalid', 'email');
    }
  });

  it('is held by no invitation', () => {
    const elsewhere = { ...invitation, merchant_id: OTHER };
    for (const open of [[invited], [invited, withdrawn], [invited, disabled]] as const) {
      given(users, open).when({ type: 'sign_up', user: signUp }, admin).then([signedUp]);
      given(users, open)
        .when({ type: 'invite', invitation: elsewhere }, admin)
        .then([{ type: 'UserInvited', data: elsewhere }]);
    }
  });

  it('gives the id, in whatever case', () => {
    expect(userIdOfEmail('A@b.example')).toBe(userIdOfEmail('a@B.example'));
    expect(userIdOfEmail('a@b.example')).not.toBe(userIdOfEmail('b@b.example'));
  });
});

describe('an invitation', () => {
  const accept = { type: 'accept', invitation, name: 'Bo', passwordHash: 'hash' } as const;

  it('is told once for a role', () => {
    given(users, []).when({ type: 'invite', invitation }, admin).then([invited]);
    given(users, [invited]).when({ type: 'invite', invitation }, admin).then([]);
    const viewer = { ...invitation, role: 'viewer' } as const;
    given(users, [invited])
      .when({ type: 'invite', invitation: viewer }, admin)
      .then([{ type: 'UserInvited', data: viewer }]);
  });

  it('is accepted once', () => {
    given(users, [invited]).when(accept, admin).then([accepted]);
    given(users, member).when(accept, admin).thenRefused('invalid_state_transition');
    given(users, []).when(accept, admin).thenRefused('invalid_state_transition');
  });

  it('is accepted as the person chooses, where another merchant has invited the address since', () => {
    const since: UserEvent = { type: 'UserInvited', data: { ...invitation, merchant_id: OTHER, role: 'owner' } };
    const { state } = given(users, [invited, since, invited, accepted]);
    expect(given(users, [invited, since]).when(accept, admin).then([invited, accepted])).toEqual(state);
    expect(state).toMatchObject({ status: 'active', merchantId: MERCHANT, role: 'finance', ownerTerm: 0 });
  });

  it('is accepted no more once it is withdrawn', () => {
    const withdraw = { type: 'withdraw_invitation' } as const;
    given(users, [invited]).when(withdraw, admin).then([withdrawn]);
    given(users, []).when(withdraw, admin).thenRefused('resource_missing');
    for (const joined of [member, [signedUp], [...member, disabled]])
      given(users, joined).when(withdraw, admin).thenRefused('invalid_state_transition');
    for (const ended of [withdrawn, disabled]) {
      given(users, [invited, ended]).when(withdraw, admin).then([]);
      given(users, [invited, ended]).when(accept, admin).thenRefused('invalid_state_transition');
      given(users, [invited, ended]).when({ type: 'invite', invitation }, admin).then([invited]);
      given(users, [invited, ended, invited]).when(accept, admin).then([accepted]);
    }
  });

  it('is neither disabled nor enabled, but for what an older log tells', () => {
    const disable = { type: 'disable', releasedTerm: null } as const;
    for (const open of [[invited], [invited, withdrawn], [invited, disabled]] as const) {
      given(users, open).when(disable, admin).thenRefused('invalid_state_transition');
      given(users, open).when({ type: 'enable' }, admin).thenRefused('invalid_state_transition');
    }
    expect(given(users, [invited, disabled]).state).toEqual(given(users, [invited, withdrawn]).state);
  });

  it('keeps its role, and has no account', () => {
    const give = { type: 'give_role', role: 'viewer', releasedTerm: null } as const;
    given(users, [invited]).when(give, admin).thenRefused('invalid_state_transition');
    given(users, [invited])
      .when({ type: 'change_password', passwordHash: 'new', reason: 'changed' }, admin)
      .thenRefused('invalid_state_transition');
    expect(given(users, [invited, disabled, enabled]).state).toEqual(given(users, [invited]).state);
  });
});

describe('the role of a user', () => {
  const give = (role: (typeof USER_ROLES)[number], releasedTerm: number | null = null) =>
    ({ type: 'give_role', role, releasedTerm }) as const;

  it('is one of five', () => {
    for (const role of USER_ROLES) expect(checkedRole(role)).toBe(role);
    expect(codeOf(() => checkedRole('admin'))).toBe('invalid_role');
  });

  it('changes, and is the same without a change', () => {
    given(users, member)
      .when(give('viewer'), admin)
      .then([{ type: 'RoleGiven', data: { role: 'viewer' } }]);
    given(users, member).when(give('finance'), admin).then([]);
    given(users, []).when(give('finance'), admin).thenRefused('resource_missing');
  });

  it('of an owner ends only in the term that was released', () => {
    const viewer: UserEvent = { type: 'RoleGiven', data: { role: 'viewer' } };
    const owner: UserEvent = { type: 'RoleGiven', data: { role: 'owner' } };
    const disable = (releasedTerm: number | null) => ({ type: 'disable', releasedTerm }) as const;
    given(users, [signedUp]).when(give('viewer'), admin).thenRefused('invalid_state_transition');
    given(users, [signedUp]).when(give('viewer', 1), admin).then([viewer]);
    given(users, [signedUp]).when(disable(null), admin).thenRefused('invalid_state_transition');
    given(users, [signedUp]).when(disable(1), admin).then([disabled]);
    for (const later of [
      [signedUp, viewer, owner],
      [signedUp, disabled, enabled],
    ] as const) {
      given(users, later).when(give('viewer', 1), admin).thenRefused('invalid_state_transition');
      given(users, later).when(give('viewer', 2), admin).then([viewer]);
    }
    given(users, [signedUp, disabled]).when(give('viewer'), admin).then([viewer]);
  });
});

describe('a disabled user', () => {
  it('is enabled again', () => {
    given(users, [...member, disabled])
      .when({ type: 'enable' }, admin)
      .then([enabled]);
    given(users, member).when({ type: 'enable' }, admin).then([]);
    given(users, []).when({ type: 'enable' }, admin).thenRefused('resource_missing');
    given(users, [...member, disabled])
      .when({ type: 'disable', releasedTerm: null }, admin)
      .then([]);
    given(users, []).when({ type: 'disable', releasedTerm: null }, admin).thenRefused('resource_missing');
  });

  it('can do nothing meanwhile', () => {
    const commands = [
      { type: 'change_password', passwordHash: 'new', reason: 'reset' },
      { type: 'enrol_totp', secretSealed: 's', replaces: 'sealed', codeHashes: [] },
      { type: 'use_recovery_code', codeHash: 'c1' },
    ] as const;
    for (const command of commands) {
      const history = [signedUp, enrolled, codesMade, disabled];
      given(users, history).when(command, admin).thenRefused('invalid_state_transition');
    }
  });
});

describe('an authenticator', () => {
  const first = { type: 'enrol_totp', secretSealed: 'sealed 2', replaces: null, codeHashes: ['c1', 'c2'] } as const;
  const enrol = { ...first, replaces: 'sealed' } as const;
  const anew: UserEvent = { type: 'TotpEnrolled', data: { totp_secret_sealed: 'sealed 2' } };

  it('comes with recovery codes at first, and after a recovery', () => {
    given(users, [signedUp]).when(first, admin).then([anew, codesMade]);
    given(users, [registered]).when(enrol, admin).then([anew, codesMade]);
    given(users, [signedUp, enrolled, codesMade]).when(enrol, admin).then([anew]);
    given(users, [signedUp, enrolled, codesMade, codeUsed]).when(enrol, admin).then([anew, codesMade]);
    const again = { ...enrol, secretSealed: 'sealed 3', replaces: 'sealed 2' };
    given(users, [signedUp, enrolled, codesMade, codeUsed, anew]).when(again, admin).thenTypes(['TotpEnrolled']);
  });

  it('replaces the one that it was offered for, and no later one', () => {
    given(users, [signedUp, enrolled, codesMade]).when(first, admin).thenRefused('mfa_proof_invalid');
    given(users, [signedUp, enrolled, codesMade, anew]).when(enrol, admin).thenRefused('mfa_proof_invalid');
  });
});

describe('the reset of an authenticator', () => {
  const reset = { type: 'reset_authenticator', reason: ' lost ' } as const;
  const done: UserEvent = { type: 'AuthenticatorReset', data: { reason: 'lost' } };
  const passkey: UserEvent = {
    type: 'PasskeyAdded',
    data: { passkey_id: 'psk_1', credential_hash: 'hash 1', name: 'Laptop' },
  };
  const full = [signedUp, enrolled, codesMade, codeUsed, passkey] as const;

  it('leaves the user as one who has never enrolled', () => {
    const { state } = given(users, [signedUp]);
    expect(given(users, full).when(reset, admin).then([done])).toEqual(state);
    for (const one of [[enrolled], [passkey]])
      given(users, [signedUp, ...one])
        .when(reset, admin)
        .then([done]);
    given(users, [...full, done])
      .when(reset, admin)
      .then([]);
    const enrol = { type: 'enrol_totp', secretSealed: 'sealed', replaces: null, codeHashes: ['c1', 'c2'] } as const;
    given(users, [...full, done])
      .when(enrol, admin)
      .then([enrolled, codesMade]);
  });

  it('leaves no passkey to a session that was about to add one', () => {
    given(users, [...full, done])
      .when({ type: 'add_passkey', passkey: { ...passkey.data, credential_hash: 'hash 2' } }, admin)
      .thenRefused('invalid_state_transition');
  });

  it('asks for a reason, and for an active user', () => {
    for (const reason of [' ', 'x'.repeat(501)])
      given(users, full)
        .when({ ...reset, reason }, admin)
        .thenRefused('invalid_reason', 'reason');
    for (const other of [[invited], [...full, disabled]])
      given(users, other).when(reset, admin).thenRefused('invalid_state_transition');
    given(users, []).when(reset, admin).thenRefused('resource_missing');
  });
});

describe('a recovery code', () => {
  it('is used once, and ends where new ones are made', () => {
    const use = { type: 'use_recovery_code', codeHash: 'c1' } as const;
    const made: UserEvent = { type: 'RecoveryCodesMade', data: { code_hashes: ['d1'] } };
    given(users, [signedUp, enrolled, codesMade]).when(use, admin).then([codeUsed]);
    given(users, [signedUp, enrolled, codesMade, codeUsed]).when(use, admin).thenRefused('mfa_proof_invalid');
    given(users, [signedUp, enrolled, codesMade, made]).when(use, admin).thenRefused('mfa_proof_invalid');
  });

  it('is made for a user with an authenticator alone', () => {
    const make = { type: 'make_recovery_codes', codeHashes: ['c1', 'c2'] } as const;
    given(users, [registered]).when(make, admin).then([codesMade]);
    given(users, [signedUp]).when(make, admin).thenRefused('invalid_state_transition');
  });
});

describe('the passkeys of a user', () => {
  const added = (index: number): UserEvent => ({
    type: 'PasskeyAdded',
    data: { passkey_id: `psk_${index}`, credential_hash: `hash ${index}`, name: 'Laptop' },
  });
  const add = (index: number) => ({ type: 'add_passkey', passkey: added(index).data }) as never;
  const ten = Array.from({ length: MAX_PASSKEYS }, (_, index) => added(index));
  const removed: UserEvent = { type: 'PasskeyRemoved', data: { passkey_id: 'psk_3' } };

  it('are ten at most, each once', () => {
    given(users, [signedUp, enrolled, ...ten.slice(1)])
      .when(add(0), admin)
      .then([added(0)]);
    given(users, [signedUp, enrolled, ...ten])
      .when(add(10), admin)
      .thenRefused('too_many_passkeys');
    given(users, [signedUp, enrolled, ...ten])
      .when(add(3), admin)
      .thenRefused('passkey_already_registered');
    given(users, [signedUp, enrolled, ...ten, removed])
      .when(add(10), admin)
      .then([added(10)]);
  });

  it('are removed', () => {
    const remove = { type: 'remove_passkey', passkeyId: 'psk_3' } as const;
    given(users, [signedUp, enrolled, ...ten])
      .when(remove, admin)
      .then([removed]);
    given(users, [signedUp, enrolled, ...ten, removed])
      .when(remove, admin)
      .thenRefused('unknown_passkey');
  });
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
  return 'done';
}
