import { parseIsoTime } from '../../src/kernel/clock';
import { formatUnits } from '../../src/vocabulary/money';
import type { RealmName } from '../../src/vocabulary/realms';
import type { Universe } from '../../src/vocabulary/modes';
import { NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { formatTokenAmount, TOKENS, type TokenId } from '../../src/vocabulary/tokens';
import type { Deed, MailFacts, Origin } from '../../src/modules/outbox/mail-kinds';
import type { Language } from '../words/language';
import type { MailLinks } from './letter';
import type { Fact, Letter } from './letter.page';
import type { MailKey } from './mail-languages';

type Words = Language<MailKey>;

/** The action of most mails to accounts. */
export function toDashboard(language: Words, { dashboardUrl }: MailLinks): Letter['action'] {
  return { words: language.say('action.dashboard'), url: dashboardUrl };
}

/** The action of mails about a person's own ways to sign in, which the realm's own pages show. */
export function toOwnPages(language: Words, links: MailLinks, realm: RealmName): Letter['action'] {
  if (realm !== 'admin') return toDashboard(language, links);
  return { words: language.say('admin_sign_ins_failed.action'), url: links.consoleUrl };
}

export function originFacts(language: Words, origin: Origin): readonly Fact[] {
  return [
    ...deedFacts(language, origin),
    [language.say('fact.from_address'), origin.ip ?? language.say('value.not_known')],
  ];
}

export function deedFacts(language: Words, { at, actor }: Deed): readonly Fact[] {
  return [
    [language.say('fact.changed_at'), momentText(language, at)],
    [language.say('fact.changed_by'), language.say('fact.changed_by_actor', { kind: actor.type, id: actor.id })],
  ];
}

type Change = { readonly mode: Universe; readonly origin: Origin };

/** The facts of a change in one mode. */
export function changeFacts(language: Words, { mode, origin }: Change): readonly Fact[] {
  return [modeFact(language, mode), ...originFacts(language, origin)];
}

export function modeFact(language: Words, mode: Universe): Fact {
  return [language.say('fact.mode'), language.say('mode', { mode })];
}

/** A message, such as a subject, with the mode behind it. */
export function inMode(
  language: Words,
  key: MailKey,
  mode: Universe,
  values?: Readonly<Record<string, string>>,
): string {
  return language.say('in_mode', { text: language.say(key, values), mode });
}

export function networkInMode(language: Words, network: NetworkId, mode: Universe): string {
  return language.say('in_mode', { text: NETWORKS[network].name, mode });
}

/** An asset with its network, as people call the two: `USDT on TRON`. */
export function pairName(language: Words, pair: { readonly asset: string; readonly network: NetworkId }): string {
  return language.say('token_on_network', { asset: pair.asset, network: NETWORKS[pair.network].name });
}

export function tokenAmount(tokenId: TokenId, baseUnits: string): string {
  const token = TOKENS[tokenId];
  return `${formatTokenAmount(token, baseUnits)} ${token.asset}`;
}

/** A moment as people write it, with its zone. */
export function momentText(language: Words, at: string): string {
  return language.moment(parseIsoTime(at));
}

export function money({ currency, minorUnits, decimals }: MailFacts['fee_invoice_issued']['amount']): string {
  return `${formatUnits(BigInt(minorUnits), decimals, decimals)} ${currency}`;
}
