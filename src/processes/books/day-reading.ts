import { eachAtOnce } from '../../kernel/at-once';
import { MINUTE_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { BlockHeader, Chain, ObservedTransfer } from '../../kernel/ports/chain';
import type { ChainBalances } from '../../kernel/ports/chain-balances';
import type { Mode } from '../../vocabulary/modes';
import { NETWORKS } from '../../vocabulary/networks';
import type { Token } from '../../vocabulary/tokens';
import { DaySums, type BookedAs } from '../../modules/books/day-sums';
import type { BookedWallet } from './booked-wallets';
import { bookedFacts, keyOf, type BookedAddresses, type Recorded, type TransferRecords } from './transfer-records';

/** Blocks of one question, which a provider may answer in narrower spans. */
const PIECE_BLOCKS = 1_000;
/** Addresses that nodes take in one list of topics. */
const ADDRESSES_AT_ONCE = 500;
const LOOKED_UP_AT_ONCE = 16;
/** A block may have been read just before a wallet was watched, though its time is later. */
const WATCH_SKEW_MS = MINUTE_MS;

type DayReadingParts = {
  readonly mode: Mode;
  readonly token: Token;
  readonly chain: Pick<Chain, 'blockAt'>;
  readonly chainBalances: Pick<ChainBalances, 'movementsInRange'>;
  readonly records: TransferRecords;
  readonly wallets: readonly BookedWallet[];
  /** The day's first moment. */
  readonly startMs: number;
  /** The first block of the day, and its last one. */
  readonly from: number;
  readonly last: Pick<BlockHeader, 'number' | 'hash'>;
};

/** The place of a received transfer in the books of one wallet. */
type Booking = { readonly wallet: BookedWallet; readonly transfer: ObservedTransfer; readonly booked: BookedAs };

/** Adds up one day of a token at all wallets of a network, piece by piece. */
export class DayReading implements BookedAddresses {
  private readonly sums: ReadonlyMap<string, DaySums>;
  private readonly byAddress = new Map<string, BookedWallet[]>();
  private readonly addressesOf = new Map<string, Set<string>>();
  private next: number;
  /** The transfers that the log has and the chain does not. */
  private missing: readonly Recorded[] = [];
  /** The transfers that the chain has and the log does not, or has otherwise. */
  private differing: readonly ObservedTransfer[] = [];
  /** The head's height at which the log was first seen to differ. */
  private differsSince: number | null = null;

  constructor(private readonly parts: DayReadingParts) {
    const { wallets, from } = parts;
    this.sums = new Map(wallets.map(({ id }) => [id, new DaySums()]));
    for (const wallet of wallets) {
      const { address, merchantId } = wallet;
      this.byAddress.set(address, [...this.walletsAt(address), wallet]);
      this.addressesOf.set(merchantId, (this.addressesOf.get(merchantId) ?? new Set()).add(address));
    }
    this.next = from;
  }

  get isDone(): boolean {
    return this.next > this.parts.last.number;
  }

  /**
   * Whether the day can be closed with the chain's head at this height. The log takes its time to follow a
   * reorganisation, since a transfer that left the chain may come back. After twice that time all is a difference.
   */
  async finish(headNumber: number): Promise<boolean> {
    const { records, token } = this.parts;
    this.missing = await records.stillMissing(this.missing);
    const bookings = await this.bookingsOf(this.differing);
    if (this.missing.length > 0 || bookings.some(isDifferent)) {
      this.differsSince ??= headNumber;
      const { reinclusionBlocks, reinclusionBlocksUnfinalized } = NETWORKS[token.network];
      if (headNumber < this.differsSince + 2 * Math.max(reinclusionBlocks, reinclusionBlocksUnfinalized)) return false;
    }
    const additions: (() => void)[] = [];
    for (const { movement, to, state } of this.missing) {
      for (const wallet of this.walletsAt(to)) {
        const column = await records.columnOf(state, wallet, this);
        additions.push(() => this.sumsOf(wallet.id)?.missed(movement, column));
      }
    }
    for (const add of additions) add();
    for (const booking of bookings) this.book(booking);
    this.missing = [];
    this.differing = [];
    return true;
  }

  /** Null for a wallet that is not in this reading. */
  sumsOf(walletId: string): DaySums | null {
    return this.sums.get(walletId) ?? null;
  }

  readonly walletsAt = (address: string): readonly BookedWallet[] => this.byAddress.get(address) ?? [];

  readonly isOwn = (merchantId: string, address: string): boolean =>
    this.addressesOf.get(merchantId)?.has(address) ?? false;

  /** Throws where the piece cannot be read whole: nothing of it is added, and it is read again. */
  async readPiece(): Promise<void> {
    const { token, mode, chainBalances, last } = this.parts;
    const [from, to] = [this.next, Math.min(this.next + PIECE_BLOCKS - 1, last.number)];
    const addresses = [...this.byAddress.keys()];
    const received: ObservedTransfer[] = [];
    const left: ObservedTransfer[] = [];
    for (let start = 0; start < addresses.length; start += ADDRESSES_AT_ONCE) {
      const asked = addresses.slice(start, start + ADDRESSES_AT_ONCE);
      const reading = await chainBalances.movementsInRange(from, to, token.contract[mode], asked);
      if (to === last.number && reading.endHash !== last.hash)
        throw refuse('provider_response_invalid', { message: `Block ${to} was replaced since the day ended.` });
      if (reading.unread.length > 0)
        throw refuse('provider_unavailable', { message: `Blocks ${from} to ${to} cannot be read whole.` });
      const among = new Set(asked);
      received.push(...reading.transfers.filter(transfer => among.has(transfer.to)));
      left.push(...reading.transfers.filter(transfer => among.has(transfer.from)));
    }
    const bookings = await this.bookingsOf(received.filter(each => !isToItself(each)));
    const missing = await this.parts.records.missing(from, to, new Set(received.map(keyOf)));
    const differing = new Set(bookings.filter(isDifferent).map(({ transfer }) => transfer));
    for (const booking of bookings) if (!differing.has(booking.transfer)) this.book(booking);
    for (const transfer of received.filter(isToItself))
      for (const { id } of this.walletsAt(transfer.to)) this.sumsOf(id)?.returned(transfer);
    for (const transfer of left.filter(each => !isToItself(each)))
      for (const { id } of this.walletsAt(transfer.from)) this.sumsOf(id)?.left(transfer);
    this.differing = [...this.differing, ...differing];
    this.missing = [...this.missing, ...missing.filter(each => this.walletsAt(each.to).length > 0)];
    this.next = to + 1;
  }

  private book({ wallet, transfer, booked }: Booking): void {
    this.sumsOf(wallet.id)?.received(transfer, booked);
  }

  /** In the order of the transfers. */
  private async bookingsOf(received: readonly ObservedTransfer[]): Promise<readonly Booking[]> {
    const { records } = this.parts;
    const bookings = new Map<ObservedTransfer, readonly Booking[]>();
    await eachAtOnce(received, LOOKED_UP_AT_ONCE, async transfer => {
      const state = await records.recorded(transfer);
      const own: Booking[] = [];
      for (const wallet of this.walletsAt(transfer.to)) {
        const booked = state
          ? {
              column: await records.columnOf(state, wallet, this),
              valueBaseUnits: BigInt(bookedFacts(state).value_base_units),
            }
          : await records.unrecorded(transfer, await this.isBeforeWatch(transfer, wallet));
        own.push({ wallet, transfer, booked });
      }
      bookings.set(transfer, own);
    });
    return received.flatMap(transfer => bookings.get(transfer) ?? []);
  }

  private async isBeforeWatch(
    { blockNumber, blockHash }: ObservedTransfer,
    { watchedFromMs }: BookedWallet,
  ): Promise<boolean> {
    // The block is asked for on the first day of a wallet alone: anybody can send any number of transfers.
    if (watchedFromMs + WATCH_SKEW_MS <= this.parts.startMs) return false;
    const header = await this.parts.chain.blockAt(blockNumber);
    if (header?.hash !== blockHash)
      throw refuse('provider_unavailable', { message: `Block ${blockNumber} is told otherwise than it was read.` });
    return header.timeMs < watchedFromMs + WATCH_SKEW_MS;
  }
}

function isDifferent({ transfer, booked }: Booking): boolean {
  if (booked.column === 'unknown') return true;
  return 'valueBaseUnits' in booked && booked.valueBaseUnits !== transfer.valueBaseUnits;
}

function isToItself({ from, to }: ObservedTransfer): boolean {
  return from === to;
}
