import { z } from 'zod';
import { TOKENS } from '../vocabulary/tokens';
import { toQuantity } from '../platform/chains/evm/rpc-shapes';
import type { Rpc } from '../platform/chains/evm/json-rpc';
import { DEEPEST_REORG } from './anvil-process';
import { sandboxAccounts } from './sandbox-accounts';
import { placeToken } from './placed-token';
import { nodeAddress, SANDBOX_NETWORKS, type SandboxNetwork } from './sandbox-networks';

const WHOLE_TOKENS_EACH = 10n ** 9n;

/** The approved tokens at their testnet addresses, and a look-alike, in the hands of every account. */
export async function furnish(rpc: Rpc, network: SandboxNetwork): Promise<void> {
  const { lookalike, open } = SANDBOX_NETWORKS[network];
  const holders = sandboxAccounts().map(account => account.address);
  for (const { network: home, contract, asset, decimals } of Object.values(TOKENS)) {
    if (home !== network) continue;
    const balanceBaseUnits = WHOLE_TOKENS_EACH * 10n ** BigInt(decimals);
    const token = { name: `Sandbox ${asset}`, symbol: asset, decimals, holders, balanceBaseUnits };
    await placeToken(rpc, { ...token, address: nodeAddress(network, contract.test) });
    await placeToken(rpc, { ...token, address: nodeAddress(network, lookalike) });
  }
  if (open) await rpc.call('anvil_autoImpersonateAccount', [true], z.null());
  // Placed tokens stand in the newest state only: under so many blocks, no reorganisation takes them away.
  await rpc.call('anvil_mine', [toQuantity(DEEPEST_REORG)], z.null());
}
