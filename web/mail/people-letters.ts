import { originFacts, toDashboard } from './facts-in-words';
import { named, type Letters } from './letter';

type PeopleName =
  | 'signed_in_anew'
  | 'sign_ins_failed'
  | 'password_changed'
  | 'authenticator_enrolled'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'sign_up_link'
  | 'reset_link'
  | 'invitation'
  | 'account_exists';

const NOT_YOU = 'If this was not you, set a new password, which ends all your sessions, and contact support at once.';
const METHODS = { password: 'password and code', passkey: 'passkey', recovery_code: 'recovery code' } as const;

/** Mail to people about their sign-in, and links that they have asked for. */
export const PEOPLE_LETTERS: Letters<PeopleName> = {
  signed_in_anew: ({ method, network, browser, ip, at }, links) => ({
    subject: 'Sign-in from a new place',
    before: ['Somebody has signed in as you, from a network and browser that were not seen in 90 days.'],
    facts: [
      ['Browser', browser],
      ['Network', network ?? 'not known'],
      ['Network address', ip ?? 'not known'],
      ['By', METHODS[method]],
      ['At', at],
    ],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  sign_ins_failed: ({ failures, at }, links) => ({
    subject: `${failures} tries to sign in as you were refused`,
    before: [
      `Within the last hour, ${failures} tries to sign in as you were refused.`,
      'Your account is not locked: networks that failed are slowed down, and yours is not one of them.',
    ],
    facts: [['The newest one came at', at]],
    after: ['If this was not you, choose another password and look at your sessions.'],
    action: toDashboard(links),
  }),
  password_changed: ({ reason, origin }, links) => ({
    subject: reason === 'reset' ? 'Your password was reset' : 'Your password was changed',
    before: [
      reason === 'reset'
        ? 'A new password was set by a mailed link. All your sessions have ended.'
        : 'A new password was set. Your other sessions have ended.',
    ],
    facts: originFacts(origin),
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  authenticator_enrolled: ({ origin }, links) => ({
    subject: 'An authenticator was enrolled',
    before: ['One-time codes of your account come from a newly enrolled authenticator. Earlier ones have ended.'],
    facts: originFacts(origin),
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  recovery_code_used: ({ origin }, links) => ({
    subject: 'A recovery code was used',
    before: ['Somebody has signed in as you by a recovery code, which counts no more.'],
    facts: originFacts(origin),
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  passkey_added: ({ name, origin }, links) => ({
    subject: 'A passkey was added',
    before: ['A new passkey signs in as you.'],
    facts: [['Passkey', name], ...originFacts(origin)],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  passkey_removed: ({ origin }, links) => ({
    subject: 'A passkey was removed',
    before: ['A passkey of yours no longer signs in.'],
    facts: originFacts(origin),
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  // Nothing that a stranger has typed stands in the mail to an address that the stranger has typed.
  sign_up_link: ({ token, expiresAt }, { dashboardUrl }) => ({
    subject: 'Open your account',
    before: ['Somebody has asked to open an account with this e-mail address. The link below opens it.'],
    facts: [['The link works until', expiresAt]],
    after: ['If this was not you, there is nothing to do.'],
    action: { words: 'Open the account', url: linkTo(dashboardUrl, 'open-account', token) },
  }),
  reset_link: ({ token, expiresAt }, { dashboardUrl }) => ({
    subject: 'Set a new password',
    before: ['Somebody has asked for a new password of your account. The link below sets it.'],
    facts: [['The link works until', expiresAt]],
    after: ['If this was not you, there is nothing to do: your password stays as it is.'],
    action: { words: 'Set a new password', url: linkTo(dashboardUrl, 'new-password', token) },
  }),
  invitation: ({ business, role, token, expiresAt }, { dashboardUrl }) => ({
    subject: `Invitation to the account of ${named(business)}`,
    before: ['You are invited to sign in for this account. The link below asks for your name and a password.'],
    facts: [
      ['Account', named(business)],
      ['Your role', role],
      ['The link works until', expiresAt],
    ],
    after: ['If you do not know this account, there is nothing to do.'],
    action: { words: 'Take the invitation', url: linkTo(dashboardUrl, 'invitation', token) },
  }),
  account_exists: (_, { dashboardUrl }) => ({
    subject: 'You have an account already',
    before: [
      'Somebody has asked to open an account with this e-mail address, which has one.',
      'You can sign in, or set a new password where you have forgotten yours.',
    ],
    facts: [],
    after: ['If this was not you, there is nothing to do.'],
    action: { words: 'Sign in', url: `${dashboardUrl}/sign-in` },
  }),
};

function linkTo(dashboardUrl: string, page: string, token: string): string {
  return `${dashboardUrl}/${page}?token=${encodeURIComponent(token)}`;
}
