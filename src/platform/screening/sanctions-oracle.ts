import type { Mode } from '../../vocabulary/modes';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import type { NetworkId } from '../../vocabulary/networks';
import { contractFlag, type ContractsOf } from './contract-flag';
import type { ScreeningMember } from './screening-member';

/** First four bytes of keccak256("isSanctioned(address)"). */
const IS_SANCTIONED = '0xdf592f7d';
/** The addresses of Chainalysis's oracle; there is none on TRON or on a testnet. */
const ORACLES: Readonly<Partial<Record<NetworkId, string>>> = {
  bnb: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb',
  base: '0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B',
};

/**
 * The contract that lists sanctioned addresses on chain, read through the network's own providers. No key is needed.
 */
export class SanctionsOracle implements ScreeningMember {
  readonly name = 'sanctions-oracle';

  constructor(private readonly contractsOf: ContractsOf) {}

  covers(mode: Mode, network: NetworkId): boolean {
    return mode === 'live' && ORACLES[network] !== undefined;
  }

  /** Throws as `contractFlag` does. */
  async screen({ mode, network, payer }: ScreenedTransfer): Promise<ScreeningVerdict> {
    const contract = ORACLES[network] ?? '';
    const isListed = await contractFlag(this.contractsOf, { mode, network, contract, selector: IS_SANCTIONED }, payer);
    if (!isListed) return { verdict: 'clear', source: this.name, reference: null };
    return { verdict: 'high_risk', source: this.name, reference: contract };
  }
}
