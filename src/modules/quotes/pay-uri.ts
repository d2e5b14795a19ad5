import type { Mode } from '../../vocabulary/modes';
import { formatUnits } from '../../vocabulary/money';
import { refuse } from '../../vocabulary/errors';
import { approvedContract, type Token } from '../../vocabulary/tokens';
import { NETWORKS } from '../../vocabulary/networks';

/**
 * A link with which a wallet pays exactly `dueBaseUnits` to `address`. EVM networks: EIP-681, the token contract's
 * `transfer` with the chain id and base units. TRON has no standard: the common form has a decimal amount, and the
 * contract, since the token has no other name there. Throws Refusal invalid_token_contract for a token that is not the
 * approved one.
 */
export function payUri(token: Token, mode: Mode, address: string, dueBaseUnits: bigint): string {
  const contract = approvedContract(token, mode);
  const { family, chainId } = NETWORKS[token.network];
  if (family === 'tron') return `tron:${address}?amount=${formatUnits(dueBaseUnits, token.decimals)}&token=${contract}`;
  return `ethereum:${contract}@${ofChain(chainId[mode])}/transfer?address=${address}&uint256=${dueBaseUnits}`;
}

/** Without a chain's id a wallet pays on whichever chain it shows. Throws Refusal missing_chain_id. */
export function ofChain(chainId: number | null): number {
  if (chainId === null || !Number.isSafeInteger(chainId) || chainId < 1) throw refuse('missing_chain_id');
  return chainId;
}
