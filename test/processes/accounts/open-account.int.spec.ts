import { WrongExpectedRevision } from '../../../src/kernel/ports/event-store';
import { merchants } from '../../../src/modules/merchants/merchant.decider';
import { AskToSignUp, OpenAccount } from '../../../src/modules/users/commands/sign-up.command';
import { MAILS_BY_NETWORK, MAILS_TO_ADDRESS } from '../../../src/modules/users/mail-limits';
import { TOKEN_LIFETIME_MS } from '../../../src/modules/users/mailed-tokens';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { NOON } from '../../modules/merchants/identity-fixture';
import {
  NEXT_PASSWORD,
  openedAccount,
  outcomeOf,
  OWNER,
  PASSWORD,
  PeopleFixture,
  type People,
} from '../../modules/users/people-fixture';

let people: People;
beforeEach(async () => {
  people = await PeopleFixture.open();
});

const ask = (email = OWNER, context = people.fixture.stranger(), business = 'Tea House', name = 'Ada Vale') =>
  people.askToSignUp.execute(new AskToSignUp(business, name, email, context));
const open = (token: string, password = PASSWORD, context = people.fixture.stranger()) =>
  people.openAccount.execute(new OpenAccount(token, password, context));

describe('asking to sign up', () => {
  it('mails a link to a free address, and says so to a taken one', async () => {
    const { fixture } = people;
    await ask(' Owner@Example.com ');
    expect(fixture.sent).toEqual([
      {
        id: expect.any(String) as string,
        to: OWNER,
        letter: {
          kind: 'sign_up_link',
          token: expect.stringMatching(/^[\w-]{43}$/) as string,
          expiresAt: '2026-11-02T12:00:00.000Z',
        },
      },
    ]);
    expect(await fixture.user(OWNER)).toBeNull();
    await open(fixture.tokenTo(OWNER));
    await ask();
    expect(fixture.sent.map(({ letter }) => letter.kind)).toEqual(['sign_up_link', 'account_exists']);
  });

  it('takes the same time for every address', async () => {
    const { fixture } = people;
    const times: number[] = [];
    const timed = async (work: () => Promise<void>) => {
      const before = fixture.waitedMs;
      await work();
      times.push(fixture.waitedMs - before);
    };
    await timed(() => ask());
    await open(fixture.tokenTo(OWNER));
    await timed(() => ask());
    for (let index = 0; index < MAILS_TO_ADDRESS; index++) await timed(() => ask());
    expect(new Set(times)).toEqual(new Set([400]));
    expect(fixture.sent).toHaveLength(MAILS_TO_ADDRESS);
  });

  it('refuses what is no name or address, a flood from one network, and everybody where it is closed', async () => {
    expect(await outcomeOf(ask(''))).toBe('parameter_missing email');
    expect(await outcomeOf(ask('nobody'))).toBe('parameter_invalid email');
    expect(await outcomeOf(ask(OWNER, people.fixture.stranger(), ' '))).toBe('parameter_missing business');
    expect(await outcomeOf(ask(OWNER, people.fixture.stranger(), 'Shop', ''))).toBe('parameter_missing name');
    const from = (index: number) => people.fixture.stranger(`203.0.113.${index}`);
    for (let index = 0; index < MAILS_BY_NETWORK; index++) await ask(`a${index}@example.com`, from(index));
    expect(await outcomeOf(ask('b@example.com', from(99)))).toBe('rate_limit');
    expect(await outcomeOf(ask('b@example.com', people.fixture.stranger('198.51.100.1')))).toBe('done');
    people.fixture.nowMs += 3_600_000;
    expect(await outcomeOf(ask('c@example.com', from(99)))).toBe('done');
    people = await PeopleFixture.open('closed');
    expect(await outcomeOf(ask())).toBe('permission_denied');
    expect(people.fixture.sent).toEqual([]);
  });
});

describe('opening an account', () => {
  it('makes the account and its owner, whose address is verified', async () => {
    const { fixture } = people;
    const { merchantId, userId } = await openedAccount(people);
    expect(userId).toBe(userIdOfEmail(OWNER));
    expect((await fixture.user(OWNER))?.body).toMatchObject({
      merchant_id: merchantId,
      email: OWNER,
      name: 'Ada Vale',
      role: 'owner',
      status: 'active',
      email_verified_at: '2026-11-01T12:00:00.000Z',
      totp_enrolled_at: null,
      shows_codes: false,
    });
    const { state, history } = await fixture.writePath.load(merchants, 'platform', merchantId);
    expect(state).toMatchObject({ status: 'active', name: 'Tea House', email: OWNER });
    expect(history[0]?.metadata.actor).toEqual({ role: 'merchant', type: 'user', id: userId });
    expect(fixture.opened.map(({ merchantId: of }) => of)).toEqual([merchantId]);
  });

  it('refuses a weak password, and a link that is unknown, of another kind, used or expired', async () => {
    const { fixture } = people;
    await ask();
    const token = fixture.tokenTo(OWNER);
    expect(await outcomeOf(open(token, 'short'))).toBe('parameter_invalid password');
    expect(await outcomeOf(open('x'.repeat(43)))).toBe('parameter_invalid token');
    expect(await outcomeOf(open(''))).toBe('parameter_invalid token');
    fixture.nowMs = NOON + TOKEN_LIFETIME_MS.sign_up;
    expect(await outcomeOf(open(token))).toBe('parameter_invalid token');
    fixture.nowMs -= 1;
    expect(await outcomeOf(open(token))).toBe('done');
    expect(await outcomeOf(open(token))).toBe('parameter_invalid token');
  });

  it('is done once where a link is used twice at once', async () => {
    const { fixture } = people;
    await ask();
    const token = fixture.tokenTo(OWNER);
    const outcomes = await Promise.all([outcomeOf(open(token)), outcomeOf(open(token, NEXT_PASSWORD))]);
    expect([...outcomes].sort()).toEqual(['done', 'parameter_invalid token']);
    const user = await fixture.user(OWNER);
    const password = outcomes[0] === 'done' ? PASSWORD : NEXT_PASSWORD;
    expect(await fixture.passwords.matches(password, user?.body.password_hash ?? '', null)).toBe(true);
    const { state } = await fixture.writePath.load(merchants, 'platform', user?.body.merchant_id ?? '');
    expect(state.status).toBe('active');
  });

  it('closes the account of the slower one of two links', async () => {
    const { fixture } = people;
    await ask();
    const first = fixture.tokenTo(OWNER);
    await ask();
    const outcomes = await Promise.all([outcomeOf(open(first)), outcomeOf(open(fixture.tokenTo(OWNER)))]);
    expect([...outcomes].sort()).toEqual(['done', 'parameter_invalid token']);
    const ids = [...new Set(fixture.opened.map(({ merchantId }) => merchantId))];
    const statuses = await Promise.all(
      ids.map(async id => (await fixture.writePath.load(merchants, 'platform', id)).state.status),
    );
    expect([...statuses].sort()).toEqual(['active', 'disabled']);
  });

  it('is put off where other writers crowd the user out, and done by the same link afterwards', async () => {
    const { store } = people.fixture;
    const append = store.append.bind(store);
    await ask();
    const token = people.fixture.tokenTo(OWNER);
    store.append = async (stream, ...rest) => {
      if (stream.startsWith('platform.user-')) throw new WrongExpectedRevision(stream, -1, 0);
      return append(stream, ...rest);
    };
    expect(await outcomeOf(open(token))).toMatch(/^provider_unavailable/);
    store.append = append;
    const { merchantId } = await open(token);
    const { state } = await people.fixture.writePath.load(merchants, 'platform', merchantId);
    expect(state.status).toBe('active');
  });

  it.each(['the same command', 'another use of the link'])('goes on after any crash, by %s', async by => {
    for (let effects = 1; ; effects++) {
      people = await PeopleFixture.open();
      const { fixture } = people;
      const asking = fixture.stranger();
      await ask(OWNER, asking);
      const context = fixture.stranger();
      const isDead = await fixture.diesAfter(effects, () => open(fixture.tokenTo(OWNER), PASSWORD, context));
      const again = by === 'the same command' ? context : fixture.stranger();
      const isMade = (await fixture.user(OWNER)) !== null;
      const outcome = await outcomeOf(open(fixture.tokenTo(OWNER), PASSWORD, again));
      expect(outcome).toBe(isMade && again !== context ? 'parameter_invalid token' : 'done');
      const user = await fixture.user(OWNER);
      expect(new Set(fixture.opened.map(({ merchantId }) => merchantId))).toEqual(new Set([user?.body.merchant_id]));
      const types = await fixture.eventTypes('platform', 'merchant', user?.body.merchant_id ?? '');
      expect(types).toEqual(['MerchantRegistered', 'ApiVersionPinned']);
      expect(await fixture.eventTypes('platform', 'user', userIdOfEmail(OWNER))).toEqual(['UserSignedUp']);
      if (!isDead) break;
    }
  });

  it('asks once where the asking is run again after any crash', async () => {
    for (let effects = 1; ; effects++) {
      people = await PeopleFixture.open();
      const { fixture } = people;
      const context = fixture.stranger();
      const isDead = await fixture.diesAfter(effects, () => ask(OWNER, context));
      await ask(OWNER, context);
      expect(fixture.sent).toHaveLength(1);
      expect(await outcomeOf(open(fixture.tokenTo(OWNER)))).toBe('done');
      if (!isDead) break;
    }
  });
});
