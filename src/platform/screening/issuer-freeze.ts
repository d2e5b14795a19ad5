import type { Mode } from '../../vocabulary/modes';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import { TOKENS, type TokenId } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import { contractFlag, type ContractsOf } from './contract-flag';
import type { ScreeningMember } from './screening-member';

/**
 * First four bytes of keccak256("isBlackListed(address)") for Tether, and of keccak256("isBlacklisted(address)") for
 * Circle. The USDT of BNB Smart Chain is a bridge's, which freezes nobody.
 */
const IS_FROZEN: Readonly<Partial<Record<TokenId, string>>> = { 'usdt-tron': '0xe47d6060', 'usdc-base': '0xfe575a87' };

/**
 * Addresses that a token's issuer has frozen, by the token's contract: a payer under suspicion, or a wallet whose
 * tokens can never leave it.
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
      if (payerFrozen) return this.highRisk('frozen_payer', token.id);
      if (recipientFrozen) return this.highRisk('frozen_recipient', token.id);
    }
    return { verdict: 'clear', source: this.name, reference: null };
  }

  private highRisk(whom: 'frozen_payer' | 'frozen_recipient', token: TokenId): ScreeningVerdict {
    return { verdict: 'high_risk', source: this.name, reference: `${whom}:${token}` };
  }
}

function freezingTokens(network: NetworkId) {
  return Object.values(TOKENS).flatMap(token => {
    const selector = IS_FROZEN[token.id];
    return token.network === network && selector !== undefined ? [{ token, selector }] : [];
  });
}
