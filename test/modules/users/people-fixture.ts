import type { CommandBus } from '@nestjs/cqrs';
import type { AccountContext, PlatformContext } from '../../../src/kernel/command-context';
import type { JsonObject } from '../../../src/vocabulary/json';
import type { Collection, CollectionSpec } from '../../../src/kernel/ports/documents';
import { BeginKyb } from '../../../src/modules/kyb/commands/kyb-case.command';
import type { EndOwnSessions, EndAllSessions } from '../../../src/modules/sessions/commands/session.command';
import type { OpenSession } from '../../../src/modules/sessions/session-authentication';
import { SignInFailures } from '../../../src/modules/sessions/sign-in-failures';
import type { AccountLetter, AccountMail } from '../../../src/modules/users/account-mail';
import { AskToSignUpHandler } from '../../../src/modules/users/commands/ask-to-sign-up.handler';
import {
  EnrolTotpHandler,
  MakeRecoveryCodesHandler,
  OfferTotpHandler,
} from '../../../src/modules/users/commands/authenticator.handler';
import {
  AcceptInvitationHandler,
  InviteUserHandler,
  WithdrawInvitationHandler,
} from '../../../src/modules/users/commands/invitation.handler';
import { UseRecoveryCodeHandler } from '../../../src/modules/users/commands/use-recovery-code.handler';
import { AskForResetHandler, ResetPasswordHandler } from '../../../src/modules/users/commands/reset-password.handler';
import { InviteUser } from '../../../src/modules/users/commands/manage-users.command';
import { AcceptInvitation, AskToSignUp, OpenAccount } from '../../../src/modules/users/commands/sign-up.command';
import { InvitationQuota } from '../../../src/modules/users/invitation-quota';
import { MailLimits } from '../../../src/modules/users/mail-limits';
import { MailedTokens } from '../../../src/modules/users/mailed-tokens';
import { GetUserHandler } from '../../../src/modules/users/queries/get-user.query';
import { ListUsersHandler } from '../../../src/modules/users/queries/list-users.query';
import { Passwords } from '../../../src/modules/users/password';
import { StoredUsers } from '../../../src/modules/users/stored-users';
import { TotpOffers } from '../../../src/modules/users/totp-offers';
import { TotpVerifier } from '../../../src/modules/users/totp-verifier';
import { userIdOfEmail } from '../../../src/modules/users/registration';
import { AdminWrites } from '../../../src/modules/admins/admin-writes';
import { PeopleWrites } from '../../../src/modules/users/credential-writes';
import { UserWrites } from '../../../src/modules/users/user-writes';
import { usersReadModel } from '../../../src/modules/users/users.read-model';
import {
  ChangeRoleHandler,
  DisableUserHandler,
  EnableUserHandler,
} from '../../../src/processes/accounts/manage-users.handler';
import { OpenAccountHandler } from '../../../src/processes/accounts/open-account.handler';
import { ResetAuthenticatorHandler } from '../../../src/processes/accounts/reset-authenticator.handler';
import { OwnerRelease } from '../../../src/processes/accounts/owner-release';
import { ChangePasswordHandler } from '../../../src/processes/sign-in/change-password.handler';
import { isRefusal } from '../../../src/vocabulary/errors';
import { IdentityFixture } from '../merchants/identity-fixture';

export const PASSWORD = 'violet harbour 42';
export const NEXT_PASSWORD = 'amber lantern 77';
export const OWNER = 'owner@example.com';

export class Crash extends Error {}

export type Sent = { readonly id: string; readonly to: string; readonly letter: AccountLetter };

const WRITES: readonly PropertyKey[] = ['insert', 'replace', 'deleteAt', 'deleteUpTo', 'putNewer'];

/** The commands of people, over stores in memory. */
export class PeopleFixture extends IdentityFixture {
  readonly sent: Sent[] = [];
  readonly ended: (EndOwnSessions | EndAllSessions)[] = [];
  readonly opened: { readonly merchantId: string; readonly commandId: string }[] = [];
  readonly passwords = new Passwords(this, { log2N: 10, r: 8, p: 1 });
  readonly userWrites = new UserWrites(this.writePath);
  /** The effects until the process dies; null: it lives. */
  private effectsLeft: number | null = null;
  private commands = 0;
  private written: string[] | null = null;

  readonly mail: AccountMail = {
    put: (id, to, letter) => {
      if (!this.sent.some(sent => sent.id === id)) this.sent.push({ id, to, letter });
      this.effect();
      return Promise.resolve();
    },
  };
  private readonly bus = {
    execute: (command: EndOwnSessions | EndAllSessions | BeginKyb) => {
      if (command instanceof BeginKyb) this.opened.push(command.context);
      else this.ended.push(command);
      this.effect();
      return Promise.resolve();
    },
  } as unknown as CommandBus;

  static async open(signUp: 'open' | 'closed' = 'open') {
    const fixture = new PeopleFixture();
    fixture.breakable();
    return { fixture, ...(await fixture.handlers(signUp)) };
  }

  private async handlers(signUp: 'open' | 'closed') {
    const { writePath, documents, secretBox, mail, bus, passwords, userWrites } = this;
    const people = new PeopleWrites({ merchant: userWrites, admin: new AdminWrites(writePath) });
    const tokens = await MailedTokens.open(documents, secretBox, this);
    const limits = await MailLimits.open(documents, secretBox, this);
    const offers = await TotpOffers.open(documents, secretBox, this, this);
    const quota = await InvitationQuota.open(documents, this);
    const failures = await SignInFailures.open(documents, this);
    const notice = { tell: () => Promise.resolve() };
    const verifier = await TotpVerifier.open(documents, new StoredUsers(this), secretBox, this, notice);
    const owners = new OwnerRelease(writePath, this);
    return {
      tokens,
      verifier,
      askToSignUp: new AskToSignUpHandler(writePath, tokens, limits, mail, signUp, this),
      openAccount: new OpenAccountHandler(writePath, tokens, passwords, bus, secretBox),
      askForReset: new AskForResetHandler(people, tokens, limits, mail, this),
      resetPassword: new ResetPasswordHandler(people, bus, tokens, passwords),
      inviteUser: new InviteUserHandler(writePath, quota, tokens, mail),
      withdrawInvitation: new WithdrawInvitationHandler(userWrites, tokens),
      listUsers: new ListUsersHandler(this, tokens),
      getUser: new GetUserHandler(this, tokens),
      acceptInvitation: new AcceptInvitationHandler(writePath, tokens, passwords),
      changePassword: new ChangePasswordHandler(people, bus, tokens, passwords, failures),
      offerTotp: new OfferTotpHandler(people, offers),
      enrolTotp: new EnrolTotpHandler(people, offers, verifier, secretBox),
      makeRecoveryCodes: new MakeRecoveryCodesHandler(people, secretBox),
      useRecoveryCode: new UseRecoveryCodeHandler(people),
      changeRole: new ChangeRoleHandler(userWrites, owners),
      disableUser: new DisableUserHandler(userWrites, owners, tokens, bus),
      enableUser: new EnableUserHandler(userWrites),
      resetAuthenticator: new ResetAuthenticatorHandler(writePath, people, bus),
    };
  }

  stranger(ip: string | null = '203.0.113.7'): PlatformContext<'platform'> {
    return { ...this.context('platform', null), ip };
  }

  by(merchantId: string, userId = 'usr_1'): AccountContext {
    const actor = { role: 'merchant', type: 'user', id: userId } as const;
    return { ...this.context('platform', merchantId), commandId: `person-${++this.commands}`, actor };
  }

  user(email: string) {
    return this.get(usersReadModel, 'platform', userIdOfEmail(email));
  }

  /** The token of the newest mail to the address. */
  tokenTo(address: string): string {
    const letter = this.sent.findLast(({ to }) => to === address)?.letter;
    if (!letter || !('token' in letter)) throw new Error(`no link was mailed to ${address}`);
    return letter.token;
  }

  /** Runs the work, which dies after so many effects; false where it has fewer. */
  async diesAfter(effects: number, work: () => Promise<unknown>): Promise<boolean> {
    this.effectsLeft = effects;
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return true;
    } finally {
      this.effectsLeft = null;
    }
  }

  /** The documents that are written from now on, as JSON. */
  recordDocuments(): readonly string[] {
    this.written = [];
    return this.written;
  }

  private effect(): void {
    if (this.effectsLeft === null) return;
    this.effectsLeft -= 1;
    if (this.effectsLeft <= 0) throw new Crash();
  }

  private breakable(): void {
    const { store, documents } = this;
    const append = store.append.bind(store);
    store.append = async (...args) => {
      const appended = await append(...args);
      this.effect();
      return appended;
    };
    const open = documents.open.bind(documents);
    documents.open = async <Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> => {
      const collection = await open<Body>(spec);
      return new Proxy(collection, {
        get: (target, name): unknown => {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== 'function') return member;
          const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
          if (!WRITES.includes(name)) return call;
          return async (...args: unknown[]) => {
            const answer = await call(...args);
            this.written?.push(JSON.stringify(args[0]));
            this.effect();
            return answer;
          };
        },
      });
    };
  }
}

export type People = Awaited<ReturnType<typeof PeopleFixture.open>>;

/** An account with its owner, as a mailed link opens it. */
export async function openedAccount(
  people: People,
  email = OWNER,
): Promise<{ readonly merchantId: string; readonly userId: string }> {
  const { fixture, askToSignUp, openAccount } = people;
  await askToSignUp.execute(new AskToSignUp('Tea House', 'Ada Vale', email, fixture.stranger(null)));
  return openAccount.execute(new OpenAccount(fixture.tokenTo(email), PASSWORD, fixture.stranger(null)));
}

/** A further person of the account. */
export async function member(people: People, merchantId: string, email: string, role: string): Promise<string> {
  const { fixture, inviteUser, acceptInvitation } = people;
  await inviteUser.execute(new InviteUser(email, role, fixture.by(merchantId)));
  const accept = new AcceptInvitation(fixture.tokenTo(email), 'Bo Lind', PASSWORD, fixture.stranger(null));
  return (await acceptInvitation.execute(accept)).userId;
}

/** `done`, or the code and field of the refusal. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.param === null ? error.code : `${error.code} ${error.param}`;
  }
}

/** A session of the user, with the facts that a change of the password asks for. */
export function openSession(userId: string, sessionId: string): OpenSession {
  return { session: { body: { session_id: sessionId } }, seats: null, person: { userId } } as OpenSession;
}
