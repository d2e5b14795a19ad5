import { z } from 'zod';
import { refuse } from '../../../vocabulary/errors';
import { balanceCall, derivedBalance, type NewerBalance } from '../balances';
import type { BlockPlace } from '../readings';
import { evmHex } from './tron-address';
import { headerAt, newest, type TronProvider } from './tron-queries';
import { TronScan } from './tron-scan';

/** A solid block comes every three seconds, and a question takes some tenths of one. */
const MOST_TRIES = 4;
const PATH = '/walletsolidity/triggerconstantcontract';
const ARGUMENT_START = '0x'.length + 8;

const answer = z.object({
  result: z.object({ result: z.literal(true) }),
  constant_result: z.tuple([z.string().regex(/^[0-9a-fA-F]{64}$/)]),
});

/**
 * The balance right after a solid block. A node tells the state of its newest solid block alone, so the transfers since
 * are taken off.
 */
export async function balanceAt(
  provider: TronProvider,
  contract: string,
  owner: string,
  block: BlockPlace,
): Promise<bigint> {
  return derivedBalance(await newestBalance(provider, contract, owner), {
    provider: provider.name,
    owner,
    block,
    hashAt: async height => (await headerAt(provider, height))?.hash ?? null,
    scan: (from, to) => new TronScan(provider, contract, [owner], 'either').inRange(from, to),
  });
}

/** The answer names no block, so the newest solid block must be the same before and after it. */
async function newestBalance(provider: TronProvider, contract: string, owner: string): Promise<NewerBalance> {
  let at = await newest(provider, 'walletsolidity');
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { constant_result: words } = await provider.http.call(PATH, questionOf(contract, owner), answer);
    const after = await newest(provider, 'walletsolidity');
    if (after.hash === at.hash) return { at, baseUnits: BigInt(`0x${words[0]}`) };
    at = after;
  }
  throw refuse('provider_unavailable', { message: `The newest solid block of ${provider.name} does not stand still.` });
}

function questionOf(contract: string, owner: string) {
  return {
    owner_address: hexForm(owner),
    contract_address: hexForm(contract),
    function_selector: 'balanceOf(address)',
    parameter: balanceCall(evmHex(owner)).slice(ARGUMENT_START),
    visible: false,
  };
}

/** TRON's own hex: 41 and 40 digits. */
function hexForm(address: string): string {
  return `41${evmHex(address).slice(2)}`;
}
