import { EndAllSessions } from '../../../src/modules/sessions/commands/session.command';
import { ChangeRole, DisableUser, EnableUser } from '../../../src/modules/users/commands/manage-users.command';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import {
  member,
  openedAccount,
  outcomeOf,
  OWNER,
  PeopleFixture,
  type People,
} from '../../modules/users/people-fixture';

const BOOKS = 'books@example.com';
const THIRD = 'third@example.com';

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

const by = () => people.fixture.by(merchantId);
const give = (to: string, role: string, context = by()) => people.changeRole.execute(new ChangeRole(to, role, context));
const disable = (of: string, context = by()) => people.disableUser.execute(new DisableUser(of, context));
const enable = (of: string, context = by()) => people.enableUser.execute(new EnableUser(of, context));
const bodyOf = async (email: string) => (await people.fixture.user(email))?.body;

/** The active owners of the account. */
async function owners(): Promise<number> {
  const bodies = await Promise.all([OWNER, BOOKS, THIRD].map(bodyOf));
  return bodies.filter(body => body?.role === 'owner' && body.status === 'active').length;
}

describe('the people of an account', () => {
  it('get other roles', async () => {
    const books = await member(people, merchantId, BOOKS, 'finance');
    await give(books, 'support');
    expect(await bodyOf(BOOKS)).toMatchObject({ role: 'support' });
    expect(await outcomeOf(give(books, 'king'))).toBe('invalid_role role');
    expect(await outcomeOf(give(userIdOfEmail('nobody@example.com'), 'viewer'))).toBe('resource_missing');
  });

  it('are disabled with their sessions, and enabled', async () => {
    const books = await member(people, merchantId, BOOKS, 'finance');
    await disable(books);
    expect(await bodyOf(BOOKS)).toMatchObject({ status: 'disabled' });
    expect(people.fixture.ended).toMatchObject([{ userId: books, how: 'user_disabled' }]);
    expect(people.fixture.ended[0]).toBeInstanceOf(EndAllSessions);
    await enable(books);
    expect(await bodyOf(BOOKS)).toMatchObject({ status: 'active', role: 'finance' });
  });

  it('are nobody to another account', async () => {
    const books = await member(people, merchantId, BOOKS, 'finance');
    const { merchantId: other } = await openedAccount(people, THIRD);
    const context = () => people.fixture.by(other);
    expect(await outcomeOf(give(books, 'viewer', context()))).toBe('resource_missing');
    expect(await outcomeOf(disable(books, context()))).toBe('resource_missing');
    expect(await outcomeOf(enable(books, context()))).toBe('resource_missing');
    expect(await bodyOf(BOOKS)).toMatchObject({ role: 'finance', status: 'active' });
    expect(people.fixture.ended).toEqual([]);
  });
});

describe('the last owner', () => {
  it('stays', async () => {
    await member(people, merchantId, BOOKS, 'finance');
    expect(await outcomeOf(give(userId, 'viewer'))).toBe('invalid_state_transition');
    expect(await outcomeOf(disable(userId))).toBe('invalid_state_transition');
    expect(await bodyOf(OWNER)).toMatchObject({ role: 'owner', status: 'active' });
  });

  it('is no invited or disabled one', async () => {
    const books = await member(people, merchantId, BOOKS, 'owner');
    await disable(books);
    expect(await outcomeOf(disable(userId))).toBe('invalid_state_transition');
    await enable(books);
    expect(await outcomeOf(disable(userId))).toBe('done');
    expect(await outcomeOf(give(books, 'viewer'))).toBe('invalid_state_transition');
  });

  it('stays where three owners disable and demote each other at once', async () => {
    const [books, third] = [
      await member(people, merchantId, BOOKS, 'owner'),
      await member(people, merchantId, THIRD, 'owner'),
    ];
    const works = [disable(userId), give(books, 'viewer'), disable(third), give(userId, 'support'), disable(books)];
    const outcomes = await Promise.all(works.map(outcomeOf));
    expect(outcomes).toContain('invalid_state_transition');
    expect(await owners()).toBe(1);
  });

  it('stays whatever is repeated after a crash', async () => {
    for (let effects = 1; ; effects++) {
      await renew();
      const books = await member(people, merchantId, BOOKS, 'owner');
      const context = by();
      const isDead = await people.fixture.diesAfter(effects, () => disable(userId, context));
      const outcomes = [await outcomeOf(give(books, 'viewer')), await outcomeOf(disable(userId, context))];
      // Whichever is recorded first goes on, and the other one is refused.
      expect([...outcomes].sort()).toEqual(['done', 'invalid_state_transition']);
      expect(await owners()).toBe(1);
      if (outcomes[0] === 'done') continue;
      expect(people.fixture.ended.length).toBeGreaterThan(0);
      // The command of before is over: a later time as an owner is not its matter.
      await enable(userId);
      expect(await outcomeOf(disable(userId, context))).toBe('done');
      expect(await owners()).toBe(2);
      expect(await outcomeOf(give(books, 'viewer'))).toBe('done');
      if (!isDead) break;
    }
  });
});
