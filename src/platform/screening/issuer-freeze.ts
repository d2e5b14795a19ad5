import type { Mode } from '../../kernel/event';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import { TOKENS, type NetworkId, type TokenId } from '../../kernel/tokens';
import { contractFlag, type ContractsOf } from './contract-flag';
import type { ScreeningMember } from './screening-member';

/**
 * First four bytes of keccak256("isBlackListed(address)"), as Tether writes it, and of
 * keccak256("isBlacklisted(address)"), as Circle does. The USDT of BNB Smart Chain is a bridge's and freezes nobody.
 */
const IS_FROZEN: Readonly<Partial<Record<TokenId, string>>> = { 'usdt-tron': '0xe47d6060', 'usdc-base': '0xfe575a87' };

/**
 * Whom a token's issuer has frozen, by the token itself: a payer whom it suspects, or a wallet that what it received
 * can never leave.
 */
export class IssuerFreeze implements ScreeningMember {
  readonly name = 'issuer-freeze';

  constructor(private readonly contractsOf: ContractsOf) {}

  covers(_: Mode, network: NetworkId): boolean {
    return freezingTokens(network).length > 0;
  }

  /** Throws as `contractFlag` does. */
  async screen({ mode, network, payer, recipient }: ScreenedTransfer): Promise<ScreeningVerdict> {
    for (const { token, selector } of freezingTokens(network)) {
      const question = { mode, network, contract: token.contract[mode], selector };
      const [payerFrozen, recipientFrozen] = await Promise.all(
        [payer, recipient].map(address => contractFlag(this.contractsOf, question, address)),
      );
      if (payerFrozen) return this.highRisk(`${token.id} has frozen the payer`);
      if (recipientFrozen) return this.highRisk(`${token.id} has frozen the merchant's wallet ${recipient}`);
    }
    return { verdict: 'clear', source: this.name, reference: null };
  }

  private highRisk(reference: string): ScreeningVerdict {
    return { verdict: 'high_risk', source: this.name, reference };
  }
}

function freezingTokens(network: NetworkId) {
  return Object.values(TOKENS).flatMap(token => {
    const selector = IS_FROZEN[token.id];
    return token.network === network && selector !== undefined ? [{ token, selector }] : [];
  });
}
