import { deedFacts, momentText, originFacts, toDashboard, toOwnPages } from './facts-in-words';
import { named, type Letters } from './letter';
import type { MailKey } from './mail-languages';

type PeopleName =
  | 'signed_in_anew'
  | 'sign_ins_failed'
  | 'password_changed'
  | 'authenticator_enrolled'
  | 'recovery_codes_made'
  | 'authenticator_reset'
  | 'authenticator_of_other_reset'
  | 'recovery_code_used'
  | 'passkey_added'
  | 'passkey_removed'
  | 'role_given'
  | 'user_disabled'
  | 'user_enabled'
  | 'sign_up_link'
  | 'reset_link'
  | 'invitation'
  | 'account_exists'
  | 'admin_reset_link'
  | 'admin_invitation'
  | 'admin_sign_ins_failed'
  | 'admin_role_given'
  | 'admin_disabled'
  | 'admin_enabled';

/** Mail to people about their sign-in and their rights, and links that they have asked for. */
export const PEOPLE_LETTERS: Letters<PeopleName, MailKey> = {
  signed_in_anew: ({ realm, method, network, browser, ip, at }, language, links) => ({
    subject: language.say('signed_in_anew.subject'),
    before: [language.say('signed_in_anew.what')],
    facts: [
      [language.say('fact.browser'), browser],
      [language.say('fact.network'), network ?? language.say('value.not_known')],
      [language.say('fact.network_address'), ip ?? language.say('value.not_known')],
      [language.say('fact.by'), language.say('signed_in_anew.method', { method })],
      [language.say('fact.at'), momentText(language, at)],
    ],
    after: [language.say('people.not_you')],
    action: toOwnPages(language, links, realm),
  }),
  sign_ins_failed: ({ failures, at }, language, links) => ({
    subject: language.say('sign_ins_failed.subject', { failures }),
    before: [language.say('sign_ins_failed.what', { failures }), language.say('sign_ins_failed.not_locked')],
    facts: [[language.say('fact.newest_at'), momentText(language, at)]],
    after: [language.say('sign_ins_failed.next')],
    action: toDashboard(language, links),
  }),
  password_changed: ({ realm, reason, origin }, language, links) => ({
    subject: language.say(reason === 'reset' ? 'password_changed.reset_subject' : 'password_changed.subject'),
    before: [language.say(reason === 'reset' ? 'password_changed.reset' : 'password_changed.what')],
    facts: originFacts(language, origin),
    after: [language.say('people.not_you')],
    action: toOwnPages(language, links, realm),
  }),
  authenticator_enrolled: ownChange('authenticator_enrolled.subject', 'authenticator_enrolled.what'),
  recovery_codes_made: ownChange('recovery_codes_made.subject', 'recovery_codes_made.what'),
  authenticator_reset: ({ realm, reason, origin }, language, links) => ({
    subject: language.say('authenticator_reset.subject'),
    before: [language.say('authenticator_reset.what'), language.say('authenticator_reset.next')],
    facts: [[language.say('fact.reason'), reason], ...originFacts(language, origin)],
    after: [language.say(realm === 'admin' ? 'people.ask_administrator' : 'authenticator_reset.not_you')],
    action: toOwnPages(language, links, realm),
  }),
  authenticator_of_other_reset: ({ realm, email, reason, origin }, language, links) => ({
    subject: language.say('authenticator_of_other_reset.subject', { realm }),
    before: [
      language.say('authenticator_of_other_reset.what', { realm }),
      language.say('authenticator_of_other_reset.until'),
    ],
    facts: [
      [language.say('fact.person'), email],
      [language.say('fact.reason'), reason],
      ...originFacts(language, origin),
    ],
    after: [language.say('authenticator_of_other_reset.next', { realm })],
    action: toOwnPages(language, links, realm),
  }),
  recovery_code_used: ownChange('recovery_code_used.subject', 'recovery_code_used.what'),
  passkey_added: ({ realm, name, origin }, language, links) => ({
    subject: language.say('passkey_added.subject'),
    before: [language.say('passkey_added.what')],
    facts: [[language.say('fact.passkey'), name], ...originFacts(language, origin)],
    after: [language.say('people.not_you')],
    action: toOwnPages(language, links, realm),
  }),
  passkey_removed: ownChange('passkey_removed.subject', 'passkey_removed.what'),
  role_given: ({ role, deed }, language, links) => ({
    subject: language.say('role_given.subject'),
    before: [language.say('role_given.what')],
    facts: [[language.say('fact.your_role'), language.say('role', { role })], ...deedFacts(language, deed)],
    after: [language.say('people.ask_owner')],
    action: toDashboard(language, links),
  }),
  user_disabled: ({ deed }, language) => ({
    subject: language.say('user_disabled.subject'),
    before: [language.say('user_disabled.what')],
    facts: deedFacts(language, deed),
    after: [language.say('people.ask_owner')],
    action: null,
  }),
  user_enabled: ({ deed }, language, links) => ({
    subject: language.say('user_enabled.subject'),
    before: [language.say('user_enabled.what')],
    facts: deedFacts(language, deed),
    after: [language.say('people.ask_owner')],
    action: toDashboard(language, links),
  }),
  // Nothing that a stranger has typed stands in the mail to an address that the stranger has typed.
  sign_up_link: ({ token, expiresAt }, language, { dashboardUrl }) => ({
    subject: language.say('sign_up_link.subject'),
    before: [language.say('sign_up_link.what')],
    facts: [[language.say('fact.link_until'), momentText(language, expiresAt)]],
    after: [language.say('people.nothing_to_do')],
    action: { words: language.say('sign_up_link.action'), url: linkTo(dashboardUrl, 'open-account', token) },
  }),
  reset_link: ({ token, expiresAt }, language, { dashboardUrl }) => ({
    subject: language.say('reset_link.subject'),
    before: [language.say('reset_link.what')],
    facts: [[language.say('fact.link_until'), momentText(language, expiresAt)]],
    after: [language.say('reset_link.not_you')],
    action: { words: language.say('reset_link.action'), url: linkTo(dashboardUrl, 'new-password', token) },
  }),
  invitation: ({ business, role, token, expiresAt }, language, { dashboardUrl }) => ({
    subject: language.say('invitation.subject', { business: named(business) }),
    before: [language.say('invitation.what')],
    facts: [
      [language.say('fact.account'), named(business)],
      [language.say('fact.your_role'), language.say('role', { role })],
      [language.say('fact.link_until'), momentText(language, expiresAt)],
    ],
    after: [language.say('invitation.not_known')],
    action: { words: language.say('invitation.action'), url: linkTo(dashboardUrl, 'invitation', token) },
  }),
  account_exists: (_, language, { dashboardUrl }) => ({
    subject: language.say('account_exists.subject'),
    before: [language.say('account_exists.what'), language.say('account_exists.next')],
    facts: [],
    after: [language.say('people.nothing_to_do')],
    action: { words: language.say('account_exists.action'), url: `${dashboardUrl}/sign-in` },
  }),
  admin_reset_link: ({ token, expiresAt }, language, { consoleUrl }) => ({
    subject: language.say('admin_reset_link.subject'),
    before: [language.say('admin_reset_link.what')],
    facts: [[language.say('fact.link_until'), momentText(language, expiresAt)]],
    after: [language.say('reset_link.not_you')],
    action: { words: language.say('reset_link.action'), url: linkTo(consoleUrl, 'new-password', token) },
  }),
  admin_invitation: ({ role, token, expiresAt }, language, { consoleUrl }) => ({
    subject: language.say('admin_invitation.subject'),
    before: [language.say('admin_invitation.what')],
    facts: [
      [language.say('fact.your_role'), role],
      [language.say('fact.link_until'), momentText(language, expiresAt)],
    ],
    after: [language.say('admin_invitation.not_known')],
    action: { words: language.say('invitation.action'), url: linkTo(consoleUrl, 'invitation', token) },
  }),
  admin_sign_ins_failed: ({ failures, at }, language, { consoleUrl }) => ({
    subject: language.say('sign_ins_failed.subject', { failures }),
    before: [language.say('admin_sign_ins_failed.what', { failures }), language.say('sign_ins_failed.not_locked')],
    facts: [[language.say('fact.newest_at'), momentText(language, at)]],
    after: [language.say('admin_sign_ins_failed.next')],
    action: { words: language.say('admin_sign_ins_failed.action'), url: consoleUrl },
  }),
  admin_role_given: ({ role, deed }, language, links) => ({
    subject: language.say('admin_role_given.subject'),
    before: [language.say('admin_role_given.what')],
    facts: [[language.say('fact.your_role'), role], ...deedFacts(language, deed)],
    after: [language.say('people.ask_administrator')],
    action: toOwnPages(language, links, 'admin'),
  }),
  admin_disabled: ({ reason, deed }, language) => ({
    subject: language.say('admin_disabled.subject'),
    before: [language.say('admin_disabled.what')],
    facts: [[language.say('fact.reason'), reason], ...deedFacts(language, deed)],
    after: [language.say('people.ask_administrator')],
    action: null,
  }),
  admin_enabled: ({ reason, deed }, language, links) => ({
    subject: language.say('admin_enabled.subject'),
    before: [language.say('admin_enabled.what')],
    facts: [[language.say('fact.reason'), reason], ...deedFacts(language, deed)],
    after: [language.say('people.ask_administrator')],
    action: toOwnPages(language, links, 'admin'),
  }),
};

type OwnChange = 'authenticator_enrolled' | 'recovery_codes_made' | 'recovery_code_used' | 'passkey_removed';

/** The letter of a change of a person's own sign-in, which somebody else may have made. */
function ownChange(subject: MailKey, what: MailKey): Letters<OwnChange, MailKey>[OwnChange] {
  return ({ realm, origin }, language, links) => ({
    subject: language.say(subject),
    before: [language.say(what)],
    facts: originFacts(language, origin),
    after: [language.say('people.not_you')],
    action: toOwnPages(language, links, realm),
  });
}

function linkTo(dashboardUrl: string, page: string, token: string): string {
  return `${dashboardUrl}/${page}?token=${encodeURIComponent(token)}`;
}
