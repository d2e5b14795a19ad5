import type { Mode } from '../../vocabulary/modes';
import { formatUnits } from '../../vocabulary/money';
import type { Token } from '../../vocabulary/tokens';
import { NETWORKS } from '../../vocabulary/networks';

/**
 * A link with which a wallet pays exactly `dueBaseUnits` to `address`. EVM networks: EIP-681, the token contract's
 * `transfer` with the chain id and base units. TRON has no standard: the common form has a decimal amount, and the
 * contract, since the token has no other name there.
 */
export function payUri(token: Token, mode: Mode, address: string, dueBaseUnits: bigint): string {
  const contract = token.contract[mode];
  const { family, chainId } = NETWORKS[token.network];
  if (family === 'tron') return `tron:${address}?amount=${formatUnits(dueBaseUnits, token.decimals)}&token=${contract}`;
  return `ethereum:${contract}@${chainId[mode]}/transfer?address=${address}&uint256=${dueBaseUnits}`;
}
