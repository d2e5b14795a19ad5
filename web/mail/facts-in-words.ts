import { formatUnits } from '../../src/vocabulary/money';
import type { Universe } from '../../src/vocabulary/modes';
import { NETWORKS, type NetworkId } from '../../src/vocabulary/networks';
import { formatTokenAmount, TOKENS, type TokenId } from '../../src/vocabulary/tokens';
import type { MailFacts, Origin } from '../../src/kernel/ports/mail-kinds';
import type { Fact, Letter } from './letter.page';

/** The action of most mails to accounts. */
export function toDashboard({ dashboardUrl }: { readonly dashboardUrl: string }): Letter['action'] {
  return { words: 'Open the dashboard', url: dashboardUrl };
}

export function originFacts({ at, actor, ip }: Origin): readonly Fact[] {
  const by = actor.type === 'api_key' ? `API key ${actor.id}` : `${actor.type} ${actor.id}`;
  return [
    ['Changed at', at],
    ['Changed by', by],
    ['From network address', ip ?? 'not known'],
  ];
}

/** The facts of a change in one mode. */
export function changeFacts({ mode, origin }: { readonly mode: Universe; readonly origin: Origin }): readonly Fact[] {
  return [['Mode', mode], ...originFacts(origin)];
}

export function networkName(network: NetworkId, mode: Universe): string {
  return `${NETWORKS[network].name} (${mode} mode)`;
}

export function tokenAmount(tokenId: TokenId, baseUnits: string): string {
  const token = TOKENS[tokenId];
  return `${formatTokenAmount(token, baseUnits)} ${token.asset}`;
}

export function money({ currency, minorUnits, decimals }: MailFacts['fee_invoice_issued']['amount']): string {
  return `${formatUnits(BigInt(minorUnits), decimals, decimals)} ${currency}`;
}
