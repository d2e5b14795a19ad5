import type { MailFacts } from '../../src/kernel/ports/mail-kinds';
import { pairName } from '../words/chain-names';
import { changeFacts, toDashboard } from './facts-in-words';
import { named, type Letters, type MailLinks } from './letter';
import type { Letter } from './letter.page';

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
  | 'codes_barred';

const NOT_YOU = 'If this was not you, revoke your API keys and contact support at once.';

/** Mail to accounts about routes, keys and endpoints. */
export const ACCESS_LETTERS: Letters<AccessName> = {
  route_set: (facts, links) => ({
    subject: `Payments in ${pairName(facts)} have a wallet now (${facts.mode} mode)`,
    before: [`The first route for payments in ${pairName(facts)} was set.`],
    facts: [['Address', facts.address], ['Wallet', facts.walletId], ...changeFacts(facts)],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  route_changed: (facts, links) => ({
    subject: `Payments in ${pairName(facts)} go to another wallet now (${facts.mode} mode)`,
    before: [`The route for payments in ${pairName(facts)} was changed.`],
    facts: [
      ['New address', facts.address],
      ['Wallet', facts.walletId],
      ...changeFacts(facts),
      ['Cannot be changed again before', facts.coolingDownUntil],
    ],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  api_key_minted: (facts, links) => ({
    subject: `An API key was made (${facts.mode} mode)`,
    before: ['A new API key works for your account.'],
    facts: [
      ['API key', facts.keyId],
      ['Name', facts.name ?? 'none'],
      ['Scopes', facts.scopes.join(', ')],
      ['Ends', facts.expiresAt ?? 'never'],
      ...changeFacts(facts),
    ],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  api_key_rotated: (facts, links) => ({
    subject: `An API key was rotated (${facts.mode} mode)`,
    before: ['A new API key has taken the place of an older one. The older one still works until its end.'],
    facts: [
      ['Older API key', facts.keyId],
      ['Ends', facts.expiresAt],
      ['New API key', facts.successor],
      ...changeFacts(facts),
    ],
    after: [NOT_YOU],
    action: toDashboard(links),
  }),
  api_key_revoked: (facts, links) => ({
    subject: `An API key was revoked (${facts.mode} mode)`,
    before: ['An API key of your account has ended. Programs that show it are refused from now on.'],
    facts: [['API key', facts.keyId], ...changeFacts(facts)],
    after: ['If this was not you, look at your other API keys and contact support at once.'],
    action: toDashboard(links),
  }),
  endpoint_created: (facts, links) => ({
    ...ofEndpoint(facts, links),
    subject: `A webhook endpoint was added (${facts.mode} mode)`,
    before: [`News of your payments goes to a new webhook endpoint on ${named(facts.host)}.`],
  }),
  endpoint_moved: (facts, links) => ({
    ...ofEndpoint(facts, links),
    subject: `A webhook endpoint has another URL now (${facts.mode} mode)`,
    before: [`News of your payments goes to another URL now, on ${named(facts.host)}.`],
  }),
  endpoint_secret_rolled: (facts, links) => ({
    ...ofEndpoint(facts, links, [['Earlier secrets sign until', facts.overlapEndsAt]]),
    subject: `A webhook endpoint has a new signing secret (${facts.mode} mode)`,
    before: [`The signing secret of the webhook endpoint on ${named(facts.host)} was rolled.`],
  }),
  endpoint_disabled: (facts, links) => ({
    ...ofEndpoint(facts, links),
    subject: `A webhook endpoint was disabled (${facts.mode} mode)`,
    before: [`Nothing more is sent to the webhook endpoint on ${named(facts.host)} until it is enabled again.`],
  }),
  endpoint_failing: ({ mode, endpointId, host, origin }, links) => ({
    subject: `A webhook endpoint was switched off (${mode} mode)`,
    before: [
      `The webhook endpoint ${endpointId} on ${named(host)} has failed for so long that nothing more is sent to it.`,
    ],
    facts: [
      ['Mode', mode],
      ['Switched off at', origin.at],
    ],
    after: [
      'Nothing is lost: `GET /v1/webhook_events?delivered=false` lists what was missed.',
      'Mend the receiver, then enable the endpoint again in the dashboard or over the API.',
    ],
    action: toDashboard(links),
  }),
  codes_barred: codesBarred,
};

function ofEndpoint(
  facts: MailFacts['endpoint_created'],
  links: MailLinks,
  more: Letter['facts'] = [],
): Pick<Letter, 'facts' | 'after' | 'action'> {
  const { endpointId, host } = facts;
  return {
    facts: [['Endpoint', endpointId], ['Host', host], ...more, ...changeFacts(facts)],
    after: [NOT_YOU],
    action: toDashboard(links),
  };
}

/** A right code revokes a key also where a limit bars all others, until wrong ones for that reach a limit too. */
function codesBarred({ keyId, barred, isOfRevoking, at }: MailFacts['codes_barred'], links: MailLinks): Letter {
  const { kind, id, limit } = barred;
  const wrong = `${limit} ${isOfRevoking ? 'further ' : ''}wrong one-time codes`;
  const purpose = isOfRevoking ? ' for the end of a key' : '';
  const whose =
    kind === 'key' ? `with the API key ${id}` : `of the user ${id}, the newest one with the API key ${keyId}`;
  const barredNow = kind === 'key' ? 'from this key' : 'of this user, whichever key shows it';
  const ways = isOfRevoking
    ? [
        `If this was not you, revoke the key ${keyId} in the dashboard, or with another key.`,
        `Where no code is taken, the operator of the service can revoke it: \`npx quittance key revoke ${keyId}\``,
      ]
    : [
        `If this was not you, revoke the key ${keyId} in the dashboard or with \`POST /v1/api_keys/${keyId}/revoke\`.`,
        'A right code is taken for that even now, and the operator of the service can revoke the key as well.',
      ];
  return {
    subject: `${wrong} were sent within ten minutes`,
    before: [
      `${wrong} were sent${purpose} ${whose}, all within ten minutes.`,
      `Until fewer of them are that new, no ${isOfRevoking ? 'such ' : ''}code is taken ${barredNow}.`,
    ],
    facts: [['Noticed at', at]],
    after: ways,
    action: toDashboard(links),
  };
}
