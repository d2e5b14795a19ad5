import type { MailFacts } from '../../src/modules/outbox/mail-kinds';
import type { Language } from '../words/language';
import { changeFacts, inMode, modeFact, momentText, originFacts, pairName, toDashboard } from './facts-in-words';
import { named, type Letters, type MailLinks } from './letter';
import type { Letter } from './letter.page';
import type { MailKey } from './mail-languages';

type AccessName =
  | 'route_set'
  | 'route_changed'
  | 'api_key_minted'
  | 'api_key_rotated'
  | 'api_key_revoked'
  | 'endpoint_created'
  | 'endpoint_moved'
  | 'endpoint_secret_rolled'
  | 'endpoint_disabled'
  | 'endpoint_failing'
  | 'session_policy_set'
  | 'codes_barred';

/** Mail to accounts about routes, keys, endpoints and the limits of sessions. */
export const ACCESS_LETTERS: Letters<AccessName, MailKey> = {
  route_set: (facts, language, links) => ({
    subject: inMode(language, 'route_set.subject', facts.mode, { pair: pairName(language, facts) }),
    before: [language.say('route_set.what', { pair: pairName(language, facts) })],
    facts: [
      [language.say('fact.address'), facts.address],
      [language.say('fact.wallet'), facts.walletId],
      ...changeFacts(language, facts),
    ],
    after: [language.say('access.not_you')],
    action: toDashboard(language, links),
  }),
  route_changed: (facts, language, links) => ({
    subject: inMode(language, 'route_changed.subject', facts.mode, { pair: pairName(language, facts) }),
    before: [language.say('route_changed.what', { pair: pairName(language, facts) })],
    facts: [
      [language.say('fact.new_address'), facts.address],
      [language.say('fact.wallet'), facts.walletId],
      ...changeFacts(language, facts),
      [language.say('fact.cooling_down'), momentText(language, facts.coolingDownUntil)],
    ],
    after: [language.say('access.not_you')],
    action: toDashboard(language, links),
  }),
  api_key_minted: (facts, language, links) => ({
    subject: inMode(language, 'api_key_minted.subject', facts.mode),
    before: [language.say('api_key_minted.what')],
    facts: [
      [language.say('fact.api_key'), facts.keyId],
      [language.say('fact.name'), facts.name ?? language.say('value.none')],
      [language.say('fact.scopes'), facts.scopes.join(', ')],
      [language.say('fact.ends'), endText(language, facts.expiresAt)],
      ...changeFacts(language, facts),
    ],
    after: [language.say('access.not_you')],
    action: toDashboard(language, links),
  }),
  api_key_rotated: (facts, language, links) => ({
    subject: inMode(language, 'api_key_rotated.subject', facts.mode),
    before: [language.say('api_key_rotated.what')],
    facts: [
      [language.say('fact.older_api_key'), facts.keyId],
      [language.say('fact.ends'), momentText(language, facts.expiresAt)],
      [language.say('fact.new_api_key'), facts.successor],
      ...changeFacts(language, facts),
    ],
    after: [language.say('access.not_you')],
    action: toDashboard(language, links),
  }),
  api_key_revoked: (facts, language, links) => ({
    subject: inMode(language, 'api_key_revoked.subject', facts.mode),
    before: [language.say('api_key_revoked.what')],
    facts: [[language.say('fact.api_key'), facts.keyId], ...changeFacts(language, facts)],
    after: [language.say('api_key_revoked.not_you')],
    action: toDashboard(language, links),
  }),
  endpoint_created: (facts, language, links) => ({
    ...ofEndpoint(facts, language, links),
    subject: inMode(language, 'endpoint_created.subject', facts.mode),
    before: [language.say('endpoint_created.what', { host: named(facts.host) })],
  }),
  endpoint_moved: (facts, language, links) => ({
    ...ofEndpoint(facts, language, links),
    subject: inMode(language, 'endpoint_moved.subject', facts.mode),
    before: [language.say('endpoint_moved.what', { host: named(facts.host) })],
  }),
  endpoint_secret_rolled: (facts, language, links) => ({
    ...ofEndpoint(facts, language, links, [
      [language.say('fact.earlier_secrets'), momentText(language, facts.overlapEndsAt)],
    ]),
    subject: inMode(language, 'endpoint_secret_rolled.subject', facts.mode),
    before: [language.say('endpoint_secret_rolled.what', { host: named(facts.host) })],
  }),
  endpoint_disabled: (facts, language, links) => ({
    ...ofEndpoint(facts, language, links),
    subject: inMode(language, 'endpoint_disabled.subject', facts.mode),
    before: [language.say('endpoint_disabled.what', { host: named(facts.host) })],
  }),
  endpoint_failing: ({ mode, endpointId: endpoint, host, origin }, language, links) => ({
    subject: inMode(language, 'endpoint_failing.subject', mode),
    before: [language.say('endpoint_failing.what', { endpoint, host: named(host) })],
    facts: [modeFact(language, mode), [language.say('fact.switched_off_at'), momentText(language, origin.at)]],
    after: [language.say('endpoint_failing.missed'), language.say('endpoint_failing.next')],
    action: toDashboard(language, links),
  }),
  session_policy_set: ({ idleMinutes, absoluteMinutes, pinsAddress, origin }, language, links) => ({
    subject: language.say('session_policy_set.subject'),
    before: [language.say('session_policy_set.what')],
    facts: [
      [language.say('fact.idle'), language.say('value.minutes', { minutes: idleMinutes })],
      [language.say('fact.absolute'), language.say('value.minutes', { minutes: absoluteMinutes })],
      [language.say('fact.pinned'), language.say(pinsAddress ? 'value.yes' : 'value.no')],
      ...originFacts(language, origin),
    ],
    after: [language.say('people.not_you')],
    action: toDashboard(language, links),
  }),
  codes_barred: codesBarred,
};

function ofEndpoint(
  facts: MailFacts['endpoint_created'],
  language: Language<MailKey>,
  links: MailLinks,
  more: Letter['facts'] = [],
): Pick<Letter, 'facts' | 'after' | 'action'> {
  const { endpointId, host } = facts;
  return {
    facts: [
      [language.say('fact.endpoint'), endpointId],
      [language.say('fact.host'), host],
      ...more,
      ...changeFacts(language, facts),
    ],
    after: [language.say('access.not_you')],
    action: toDashboard(language, links),
  };
}

function endText(language: Language<MailKey>, end: string | null): string {
  return end === null ? language.say('value.never') : momentText(language, end);
}

/** A right code revokes a key also where a limit bars all others, until wrong ones for that reach a limit too. */
function codesBarred(
  { keyId: key, barred, isOfRevoking, at }: MailFacts['codes_barred'],
  language: Language<MailKey>,
  links: MailLinks,
): Letter {
  const { kind, id, limit } = barred;
  const counted = { limit, purpose: isOfRevoking ? 'revoking' : 'any' };
  const { purpose } = counted;
  return {
    subject: language.say('codes_barred.subject', counted),
    before:
      kind === 'key'
        ? [
            language.say('codes_barred.of_key', { ...counted, key: id }),
            language.say('codes_barred.key_bars', { purpose }),
          ]
        : [
            language.say('codes_barred.of_user', { ...counted, user: id, key }),
            language.say('codes_barred.user_bars', { purpose }),
          ],
    facts: [[language.say('fact.noticed_at'), momentText(language, at)]],
    after: isOfRevoking
      ? [language.say('codes_barred.revoke_elsewhere', { key }), language.say('codes_barred.operator', { key })]
      : [language.say('codes_barred.revoke', { key }), language.say('codes_barred.right_code')],
    action: toDashboard(language, links),
  };
}
