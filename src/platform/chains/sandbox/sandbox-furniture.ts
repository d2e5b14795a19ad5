import { z } from 'zod';
import { TOKENS } from '../../../kernel/tokens';
import { toQuantity } from '../evm/rpc-shapes';
import type { Rpc } from '../evm/json-rpc';
import { DEEPEST_REORG } from './anvil-process';
import { sandboxAccounts } from './sandbox-accounts';
import type { SandboxNetwork } from './sandbox-record';
import { placeToken } from './placed-token';

const WHOLE_TOKENS_EACH = 10n ** 9n;

/** Contracts with the right symbol and the wrong address; they are well-known other tokens of the real networks. */
export const LOOKALIKES: Readonly<Record<SandboxNetwork, string>> = {
  bnb: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  base: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
};

/** The approved tokens at their testnet addresses, and a look-alike, in the hands of every account. */
export async function furnish(rpc: Rpc, network: SandboxNetwork): Promise<void> {
  const holders = sandboxAccounts().map(account => account.address);
  for (const { network: home, contract, asset, decimals } of Object.values(TOKENS)) {
    if (home !== network) continue;
    const balanceBaseUnits = WHOLE_TOKENS_EACH * 10n ** BigInt(decimals);
    const token = { name: `Sandbox ${asset}`, symbol: asset, decimals, holders, balanceBaseUnits };
    await placeToken(rpc, { ...token, address: contract.test });
    await placeToken(rpc, { ...token, address: LOOKALIKES[network] });
  }
  // What was placed stands in the newest state only: under so many blocks, no reorganisation takes it away.
  await rpc.call('anvil_mine', [toQuantity(DEEPEST_REORG)], z.null());
}
