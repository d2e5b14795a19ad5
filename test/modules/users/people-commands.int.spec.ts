import { DAY_MS } from '../../../src/kernel/clock';
import { EndAllSessions } from '../../../src/modules/sessions/commands/session.command';
import { ChangePassword } from '../../../src/modules/users/commands/own-account.command';
import { DisableUser, InviteUser, WithdrawInvitation } from '../../../src/modules/users/commands/manage-users.command';
import {
  AcceptInvitation,
  AskForReset,
  AskToSignUp,
  ResetPassword,
} from '../../../src/modules/users/commands/sign-up.command';
import { INVITATIONS_A_DAY } from '../../../src/modules/users/invitation-quota';
import { MAILS_TO_ADDRESS } from '../../../src/modules/users/mail-limits';
import { TOKEN_LIFETIME_MS } from '../../../src/modules/users/mailed-tokens';
import { GetUser } from '../../../src/modules/users/queries/get-user.query';
import { ListUsers } from '../../../src/modules/users/queries/list-users.query';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';
import {
  member,
  NEXT_PASSWORD,
  openedAccount,
  openSession,
  outcomeOf,
  OWNER,
  PASSWORD,
  PeopleFixture,
  type People,
} from './people-fixture';

const BOOKS = 'books@example.com';

let people: People;
let merchantId: string;
let userId: string;
beforeEach(async () => {
  await renew();
});

async function renew(): Promise<void> {
  people = await PeopleFixture.open();
  ({ merchantId, userId } = await openedAccount(people));
}

const opens = async (password: string, email = OWNER) =>
  people.fixture.passwords.matches(password, (await people.fixture.user(email))?.body.password_hash ?? '', null);

describe('a new password by a mailed link', () => {
  const ask = (email = OWNER) => people.askForReset.execute(new AskForReset(email, people.fixture.stranger()));
  const reset = (token: string, password = NEXT_PASSWORD, context = people.fixture.stranger()) =>
    people.resetPassword.execute(new ResetPassword(token, password, context));

  it('is set once, and ends all sessions', async () => {
    const { fixture } = people;
    await ask();
    await ask();
    const [, first, second] = fixture.sent.map(({ letter }) => ('token' in letter ? letter.token : ''));
    expect(await outcomeOf(reset(first ?? ''))).toBe('done');
    expect(await opens(NEXT_PASSWORD)).toBe(true);
    expect(fixture.ended).toMatchObject([{ userId, how: 'password_changed' }]);
    expect(fixture.ended[0]).toBeInstanceOf(EndAllSessions);
    for (const spent of [first, second]) expect(await outcomeOf(reset(spent ?? ''))).toBe('parameter_invalid token');
    expect(fixture.ended).toHaveLength(1);
  });

  it('goes to nobody who has no account, and asks for an address', async () => {
    const { fixture, inviteUser } = people;
    await inviteUser.execute(new InviteUser(BOOKS, 'viewer', fixture.by(merchantId)));
    const before = fixture.sent.length;
    const waited = fixture.waitedMs;
    for (const nobody of ['nobody@example.com', BOOKS]) await ask(nobody);
    expect(fixture.sent).toHaveLength(before);
    expect(fixture.waitedMs - waited).toBe(800);
    expect(await outcomeOf(ask('nobody'))).toBe('parameter_invalid email');
  });

  it('is mailed however often strangers sign up with the address', async () => {
    const { fixture, askToSignUp } = people;
    for (let count = 0; count <= MAILS_TO_ADDRESS; count++) {
      const context = { ...fixture.stranger(`198.51.${count}.7`), commandId: `stranger-${count}` };
      await askToSignUp.execute(new AskToSignUp('Tea House', 'Mallory', OWNER, context));
    }
    await ask();
    expect(fixture.sent.at(-1)?.letter.kind).toBe('reset_link');
  });

  it('is set by no link of a clock that is set back by a day', async () => {
    await ask();
    people.fixture.nowMs -= DAY_MS;
    expect(await outcomeOf(reset(people.fixture.tokenTo(OWNER)))).toBe('parameter_invalid token');
  });

  it('is refused where it is weak, the link is over, or the user is disabled', async () => {
    const { fixture } = people;
    await ask();
    const token = fixture.tokenTo(OWNER);
    expect(await outcomeOf(reset(token, 'password'))).toBe('parameter_invalid password');
    fixture.nowMs = NOON + TOKEN_LIFETIME_MS.reset;
    expect(await outcomeOf(reset(token))).toBe('parameter_invalid token');
    await member(people, merchantId, BOOKS, 'owner');
    await ask(BOOKS);
    await people.disableUser.execute(new DisableUser(userIdOfEmail(BOOKS), fixture.by(merchantId)));
    expect(await outcomeOf(reset(fixture.tokenTo(BOOKS)))).toBe('parameter_invalid token');
    expect(await opens(PASSWORD)).toBe(true);
  });

  it('is set for no user who is disabled while it is made', async () => {
    const { fixture } = people;
    await member(people, merchantId, BOOKS, 'owner');
    await ask(BOOKS);
    const append = fixture.store.append.bind(fixture.store);
    fixture.store.append = async (...args) => {
      fixture.store.append = append;
      await people.disableUser.execute(new DisableUser(userIdOfEmail(BOOKS), fixture.by(merchantId)));
      return append(...args);
    };
    expect(await outcomeOf(reset(fixture.tokenTo(BOOKS)))).toBe('invalid_state_transition');
    expect(await opens(PASSWORD, BOOKS)).toBe(true);
  });

  it('is set by one of two uses at once', async () => {
    await ask();
    const token = people.fixture.tokenTo(OWNER);
    const outcomes = await Promise.all([outcomeOf(reset(token)), outcomeOf(reset(token, 'third lighthouse 9'))]);
    expect([...outcomes].sort()).toEqual(['done', 'parameter_invalid token']);
    expect(await opens(outcomes[0] === 'done' ? NEXT_PASSWORD : 'third lighthouse 9')).toBe(true);
    const types = await people.fixture.eventTypes('platform', 'user', userId);
    expect(types).toEqual(['UserSignedUp', 'PasswordChanged']);
  });

  it('is set after any crash, once', async () => {
    for (let effects = 1; ; effects++) {
      await renew();
      await ask();
      const context = people.fixture.stranger();
      const token = people.fixture.tokenTo(OWNER);
      const isDead = await people.fixture.diesAfter(effects, () => reset(token, NEXT_PASSWORD, context));
      expect(await outcomeOf(reset(token, NEXT_PASSWORD, context))).toBe('done');
      expect(await opens(NEXT_PASSWORD)).toBe(true);
      expect(people.fixture.ended.length).toBeGreaterThan(0);
      const types = await people.fixture.eventTypes('platform', 'user', userId);
      expect(types).toEqual(['UserSignedUp', 'PasswordChanged']);
      if (!isDead) break;
    }
  });
});

describe('a new password by its owner', () => {
  const open = () => openSession(userId, 'ses_1');
  const change = (present: string, wanted = NEXT_PASSWORD, context = people.fixture.by(merchantId)) =>
    people.changePassword.execute(new ChangePassword(open(), present, wanted, context));

  it('asks for the present one, and ends the other sessions and mailed links', async () => {
    const { fixture, askForReset, resetPassword } = people;
    await askForReset.execute(new AskForReset(OWNER, fixture.stranger()));
    expect(await outcomeOf(change('wrong password'))).toBe('invalid_password present');
    expect(await outcomeOf(change(PASSWORD, 'short'))).toBe('parameter_invalid password');
    expect(await outcomeOf(change(PASSWORD, NEXT_PASSWORD, fixture.by(OTHER_MERCHANT)))).toBe('resource_missing');
    expect(fixture.ended).toEqual([]);
    const context = fixture.by(merchantId);
    await change(PASSWORD, NEXT_PASSWORD, context);
    await change(PASSWORD, NEXT_PASSWORD, context);
    expect(await opens(NEXT_PASSWORD)).toBe(true);
    expect(fixture.ended[0]).toMatchObject({ open: open(), which: { allBut: 'ses_1' }, how: 'password_changed' });
    const late = new ResetPassword(fixture.tokenTo(OWNER), 'third lighthouse 9', fixture.stranger());
    expect(await outcomeOf(resetPassword.execute(late))).toBe('parameter_invalid token');
  });
});

describe('wrong present passwords (ASVS 6.3.1)', () => {
  const wrong = (ip: string, present = 'wrong password') => {
    const context = { ...people.fixture.by(merchantId), ip };
    const command = new ChangePassword(openSession(userId, 'ses_1'), present, NEXT_PASSWORD, context);
    return outcomeOf(people.changePassword.execute(command));
  };

  it('are slowed after five, from whichever network, and are forgotten with the right one', async () => {
    for (let count = 0; count < 5; count++) expect(await wrong(`198.51.${count}.7`)).toBe('invalid_password present');
    expect(await wrong('198.51.9.7', PASSWORD)).toBe('rate_limit');
    people.fixture.nowMs += 30_000;
    expect(await wrong('198.51.9.7', PASSWORD)).toBe('done');
    expect(await wrong('198.51.9.7')).toBe('invalid_password present');
  });
});

describe('an invitation', () => {
  const invite = (email = BOOKS, role = 'finance', context = people.fixture.by(merchantId)) =>
    people.inviteUser.execute(new InviteUser(email, role, context));
  const accept = (token: string, name = 'Bo Lind', password = PASSWORD, context = people.fixture.stranger()) =>
    people.acceptInvitation.execute(new AcceptInvitation(token, name, password, context));
  const withdraw = (context = people.fixture.by(merchantId)) =>
    people.withdrawInvitation.execute(new WithdrawInvitation(userIdOfEmail(BOOKS), context));

  it('makes a person of the account, with the role and a verified address', async () => {
    const { fixture } = people;
    await invite();
    expect((await fixture.user(BOOKS))?.body).toMatchObject({
      status: 'invited',
      role: 'finance',
      password_hash: null,
    });
    expect(fixture.sent.at(-1)).toMatchObject({
      to: BOOKS,
      letter: { kind: 'invitation', merchantId, role: 'finance' },
    });
    expect(await accept(fixture.tokenTo(BOOKS))).toEqual({ userId: userIdOfEmail(BOOKS) });
    expect((await fixture.user(BOOKS))?.body).toMatchObject({
      merchant_id: merchantId,
      status: 'active',
      name: 'Bo Lind',
      email_verified_at: '2026-11-01T12:00:00.000Z',
    });
    expect(await opens(PASSWORD, BOOKS)).toBe(true);
  });

  it('refuses accounts, unknown roles, and what is no address, name, password or link', async () => {
    const { fixture } = people;
    expect(await outcomeOf(invite(OWNER))).toBe('parameter_invalid email');
    expect(await outcomeOf(invite('books'))).toBe('parameter_invalid email');
    expect(await outcomeOf(invite(BOOKS, 'admin'))).toBe('invalid_role role');
    await invite();
    const token = fixture.tokenTo(BOOKS);
    expect(await outcomeOf(accept(token, ' '))).toBe('parameter_missing name');
    expect(await outcomeOf(accept(token, 'Bo', '123456789012'))).toBe('parameter_invalid password');
    expect(await outcomeOf(accept(`${token}x`))).toBe('parameter_invalid token');
    fixture.nowMs = NOON + TOKEN_LIFETIME_MS.invitation;
    expect(await outcomeOf(accept(token))).toBe('parameter_invalid token');
  });

  it('is good by its newest link, and by none once it is withdrawn', async () => {
    const { fixture } = people;
    await invite(BOOKS, 'owner');
    const former = fixture.tokenTo(BOOKS);
    await invite(BOOKS, 'viewer');
    expect(await outcomeOf(accept(former))).toBe('parameter_invalid token');
    await withdraw();
    await withdraw();
    expect(await outcomeOf(accept(fixture.tokenTo(BOOKS)))).toBe('parameter_invalid token');
    await invite(BOOKS, 'viewer');
    expect(await outcomeOf(accept(fixture.tokenTo(BOOKS)))).toBe('done');
  });

  it('is withdrawn by the account that has sent it, and leaves the address to another one', async () => {
    const { fixture, inviteUser } = people;
    await invite();
    const former = fixture.tokenTo(BOOKS);
    const { merchantId: other } = await openedAccount(people, 'other@example.com');
    expect(await outcomeOf(withdraw(fixture.by(other)))).toBe('resource_missing');
    await withdraw();
    expect((await fixture.user(BOOKS))?.body.status).toBe('withdrawn');
    await inviteUser.execute(new InviteUser(BOOKS, 'viewer', fixture.by(other)));
    expect(await outcomeOf(accept(former))).toBe('parameter_invalid token');
    expect(await outcomeOf(accept(fixture.tokenTo(BOOKS)))).toBe('done');
    expect((await fixture.user(BOOKS))?.body).toMatchObject({ merchant_id: other, role: 'viewer', status: 'active' });
    expect(await outcomeOf(withdraw(fixture.by(other)))).toBe('invalid_state_transition');
  });

  it('is withdrawn also after another account has invited the address, whose link works on', async () => {
    const { fixture, inviteUser } = people;
    await invite(BOOKS, 'owner');
    const former = fixture.tokenTo(BOOKS);
    const { merchantId: other } = await openedAccount(people, 'other@example.com');
    await inviteUser.execute(new InviteUser(BOOKS, 'viewer', fixture.by(other)));
    const peopleOf = async (merchant: string) =>
      (await people.listUsers.execute(new ListUsers(merchant))).map(({ email, role, status }) => [email, role, status]);
    const own = [OWNER, 'owner', 'active'];
    expect((await peopleOf(merchantId)).sort()).toEqual([[BOOKS, 'owner', 'invited'], own]);
    expect((await peopleOf(other)).sort()).toEqual([
      [BOOKS, 'viewer', 'invited'],
      ['other@example.com', 'owner', 'active'],
    ]);
    const shown = new GetUser(merchantId, userIdOfEmail(BOOKS));
    expect(await people.getUser.execute(shown)).toMatchObject({ email: BOOKS, role: 'owner', status: 'invited' });
    expect(await outcomeOf(withdraw())).toBe('done');
    expect(await peopleOf(merchantId)).toEqual([own]);
    expect(await outcomeOf(people.getUser.execute(shown))).toBe('resource_missing');
    expect(await outcomeOf(withdraw())).toBe('resource_missing');
    expect(await outcomeOf(accept(former))).toBe('parameter_invalid token');
    expect(await outcomeOf(accept(fixture.tokenTo(BOOKS)))).toBe('done');
    expect((await fixture.user(BOOKS))?.body.merchant_id).toBe(other);
  });

  it('is withdrawn or accepted, and never both', async () => {
    await invite();
    const token = people.fixture.tokenTo(BOOKS);
    const outcomes = await Promise.all([outcomeOf(accept(token)), outcomeOf(withdraw())]);
    const { status } = (await people.fixture.user(BOOKS))?.body ?? {};
    expect([...outcomes, status]).toEqual(
      outcomes[0] === 'done'
        ? ['done', 'invalid_state_transition', 'active']
        : ['parameter_invalid token', 'done', 'withdrawn'],
    );
  });

  it('is withdrawn whatever is repeated after a crash', async () => {
    for (let effects = 1; ; effects++) {
      await invite();
      const token = people.fixture.tokenTo(BOOKS);
      const context = people.fixture.by(merchantId);
      const isDead = await people.fixture.diesAfter(effects, () => withdraw(context));
      expect(await outcomeOf(withdraw(context))).toBe('done');
      expect(await outcomeOf(accept(token))).toBe('parameter_invalid token');
      await expect(people.tokens.find('invitation', token, 'look')).rejects.toThrow();
      if (!isDead) break;
    }
  });

  it('is accepted by one of two uses at once', async () => {
    await invite();
    const token = people.fixture.tokenTo(BOOKS);
    const outcomes = await Promise.all([outcomeOf(accept(token)), outcomeOf(accept(token, 'Eve', NEXT_PASSWORD))]);
    expect([...outcomes].sort()).toEqual(['done', 'parameter_invalid token']);
    expect(await opens(outcomes[0] === 'done' ? PASSWORD : NEXT_PASSWORD, BOOKS)).toBe(true);
  });

  it('is mailed twenty times a day, each command once', async () => {
    const { fixture } = people;
    const context = fixture.by(merchantId);
    await invite('p0@example.com', 'viewer', context);
    await invite('p0@example.com', 'viewer', context);
    for (let index = 1; index < INVITATIONS_A_DAY; index++) await invite(`p${index}@example.com`);
    expect(await outcomeOf(invite('late@example.com'))).toBe('rate_limit');
    expect(await fixture.user('late@example.com')).toBeNull();
    expect(fixture.sent.filter(({ letter }) => letter.kind === 'invitation')).toHaveLength(INVITATIONS_A_DAY);
    fixture.nowMs += 12 * 3_600_000;
    expect(await outcomeOf(invite('late@example.com'))).toBe('done');
  });

  it('is mailed and accepted after any crash, once', async () => {
    for (let effects = 1; ; effects++) {
      await renew();
      const { fixture } = people;
      const [inviting, accepting] = [fixture.by(merchantId), fixture.stranger()];
      const isInviterDead = await fixture.diesAfter(effects, () => invite(BOOKS, 'finance', inviting));
      await invite(BOOKS, 'finance', inviting);
      const token = fixture.tokenTo(BOOKS);
      const work = () => accept(token, 'Bo Lind', PASSWORD, accepting);
      const isDead = await fixture.diesAfter(effects, work);
      await work();
      expect(fixture.sent.filter(({ letter }) => letter.kind === 'invitation')).toHaveLength(1);
      const types = await fixture.eventTypes('platform', 'user', userIdOfEmail(BOOKS));
      expect(types).toEqual(['UserInvited', 'InvitationAccepted']);
      if (!isInviterDead && !isDead) break;
    }
  });
});
