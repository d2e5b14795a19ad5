import { isRefusal, refuse } from '../../../vocabulary/errors';
import { balanceCall, derivedBalance, stateGone } from '../balances';
import type { BlockPlace } from '../readings';
import type { Provider } from './evm-provider';
import { blockByNumber, taggedBlock } from './evm-queries';
import { RATE_WORDS } from './log-span';
import { RpcError } from './json-rpc';
import { toQuantity, word } from './rpc-shapes';
import { TransferScan } from './transfer-scan';

type Wanted = { readonly contract: string; readonly owner: string };

/**
 * The balance right after a block, by the state of that block where the node keeps it. Otherwise it follows from the
 * newest state and the transfers since.
 */
export async function balanceAt(
  provider: Provider,
  contract: string,
  owner: string,
  block: BlockPlace,
): Promise<bigint> {
  const wanted = { contract, owner };
  const direct = await balanceIn(provider, wanted, block);
  if (direct !== null) return direct;
  const at = await taggedBlock(provider, 'latest');
  const baseUnits = await balanceIn(provider, wanted, at);
  if (baseUnits === null) throw stateGone(provider.name, block);
  return derivedBalance(
    { at, baseUnits },
    {
      provider: provider.name,
      owner,
      block,
      hashAt: async height => (await blockByNumber(provider, height))?.hash ?? null,
      scan: (from, to) => new TransferScan(provider, contract, [owner], 'either').inRange(from, to),
    },
  );
}

/** Null where the node does not answer for this block, though it answers. */
async function balanceIn(provider: Provider, wanted: Wanted, block: BlockPlace): Promise<bigint | null> {
  try {
    return await call(provider, wanted, { blockHash: block.hash, requireCanonical: true });
  } catch (error) {
    if (!isOfState(error)) throw error;
  }
  // Some nodes take no hash in the place of a number. A number says nothing of the block's fork.
  const requireStanding = async (): Promise<void> => {
    if ((await blockByNumber(provider, block.number))?.hash === block.hash) return;
    throw refuse('provider_unavailable', { message: `${provider.name} has not got block ${block.hash}.` });
  };
  await requireStanding();
  try {
    const balance = await call(provider, wanted, toQuantity(block.number));
    await requireStanding();
    return balance;
  } catch (error) {
    if (isOfState(error)) return null;
    throw error;
  }
}

function call({ rpc }: Provider, { contract, owner }: Wanted, block: unknown): Promise<bigint> {
  return rpc.call('eth_call', [{ to: contract, data: balanceCall(owner) }, block], word);
}

/** Whether the node would not serve the question, for another reason than too many questions. */
function isOfState(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof RpcError && !RATE_WORDS.test(error.cause.message);
}
