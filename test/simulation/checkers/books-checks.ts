import type { RecordedEvent } from '../../../src/kernel/event';
import type { NetworkId } from '../../../src/vocabulary/networks';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { ChainOutside } from '../outside';
import { tokenOf } from '../setting';

type Place = { readonly wallet_id: string; readonly token_id: TokenId; readonly day: string };
type Observed = Place & {
  readonly block_number: number;
  readonly block_hash: string;
  readonly balance_base_units: string;
};
type Reconciled = Place & Readonly<Record<string, string | null>> & { readonly differences_in_all: number };
type Registered = { readonly network_id: NetworkId; readonly address: string };

const DAY_LENGTH = '2026-11-01'.length;

/**
 * The books are those of the chain. Each balance is that of the simulated chain at the day's last block. The columns
 * add up, and no day differs. A block that a reorganisation took after all proves nothing.
 */
export function booksAddUp(chains: readonly ChainOutside[], events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const wallets = new Map<string, Registered>();
  const observed = new Map<string, Observed>();
  for (const { stream, type, data } of events) {
    if (type === 'WalletRegistered') wallets.set(idOf(stream), data as Registered);
    if (type === 'BalanceObserved') {
      observed.set(stream, data as Observed);
      found.push(...misobserved(stream, data as Observed, wallets, chains));
    }
    if (type === 'DayReconciled') found.push(...misreckoned(stream, data as unknown as Reconciled, observed));
  }
  return found;
}

function misobserved(
  stream: string,
  { wallet_id, day, block_number, block_hash, balance_base_units }: Observed,
  wallets: ReadonlyMap<string, Registered>,
  chains: readonly ChainOutside[],
): string[] {
  const { address, network_id: network } = wallets.get(wallet_id) as Registered;
  const outside = chains.find(chain => chain.network === network) as ChainOutside;
  const { now } = outside.chain;
  if (now.hashAt(block_number) !== block_hash) return [];
  const found: string[] = [];
  const dayAt = (height: number) => new Date(now.headerAt(height)?.timeMs ?? 0).toISOString().slice(0, DAY_LENGTH);
  if (dayAt(block_number) > day || dayAt(block_number + 1) <= day)
    found.push(`${stream}: block ${block_number} is not the last one of ${day}`);
  const contract = Object.values(tokenOf(network).contract).find(each => now.balanceAt(block_number, each, address));
  const balance = contract === undefined ? 0n : now.balanceAt(block_number, contract, address);
  if (balance.toString() !== balance_base_units)
    found.push(`${stream}: ${balance_base_units} was observed, and the chain has ${balance}`);
  return found;
}

function misreckoned(stream: string, day: Reconciled, observed: ReadonlyMap<string, Observed>): string[] {
  const found: string[] = [];
  const of = (name: string): bigint => BigInt(day[`${name}_base_units`] ?? '0');
  const { opening_base_units: opening, closing_base_units: closing } = day;
  if (closing !== null && closing !== observed.get(stream)?.balance_base_units)
    found.push(`${stream} closes with another balance than was observed`);
  const moved = of('credited') + of('unmatched') + of('unrelated') + of('dust') - of('sent') + of('difference');
  if (opening !== null && closing !== null && of('opening') + moved !== of('closing'))
    found.push(`${stream} does not add up`);
  if (day.differences_in_all !== 0 || of('difference') !== 0n)
    found.push(`${stream} differs from the chain by ${of('difference')}: ${JSON.stringify(day.differences)}`);
  return found;
}

function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
