import { eachAtOnce } from '../../kernel/at-once';
import { SECOND_MS, startOfDay, type Clock } from '../../kernel/clock';
import { Interruptions } from '../../kernel/interruptions';
import { outageOf } from '../../kernel/outage';
import type { LogPosition } from '../../kernel/log-position';
import type { BlockMoment, Chain } from '../../kernel/ports/chain';
import type { ChainBalances } from '../../kernel/ports/chain-balances';
import type { IndexProgress } from '../../kernel/ports/index-progress';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import { isRefusal } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { Token } from '../../vocabulary/tokens';
import { balances, balanceStreamId } from '../../modules/books/balance.decider';
import type { BookPlace } from '../../modules/books/balance.events';
import { reconciliationsReadModel, type ReconciliationDocument } from '../../modules/books/reconciliations.read-model';
import { dayAfter, dayBefore, dayOf } from '../../modules/books/utc-day';
import { unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { BookedWallets, type BookedWallet } from './booked-wallets';
import { DayBounds, type DayEnd } from './day-bounds';
import { DayReading } from './day-reading';
import { TransferRecords } from './transfer-records';

const POLL_MS = 15 * SECOND_MS;
/** The pause between two pieces of a day's reading: the watcher asks the same providers. */
const PACE_MS = SECOND_MS / 4;
const AT_ONCE = 4;
/** The lists by which a day is reconciled. */
const FOLLOWED = [unmatchedTransfersReadModel, walletsReadModel];
/** Wallets of a day whose differences the log of the process names. */
const MOST_TOLD = 10;

type BookkeeperParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly instance: string;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly chainBalances: ChainBalances;
  /** The address of micro-deposits; null where the network has none. */
  readonly depositAddress: string | null;
  /** The moment, by the chain's blocks, up to which the network is scanned; null where nobody has watched it. */
  readonly scannedUntil: () => Promise<number | null>;
  /** Whether every transfer below the block has found its place in the log. */
  readonly isReadBelow: (block: BlockMoment) => Promise<boolean>;
  readonly readModels: ReadModels;
  readonly progress: IndexProgress;
  readonly commands: SystemCommands;
  readonly clock: Clock;
  readonly log: Log;
};

type List = Parameters<IndexProgress['holds']>[0];
type Account = { readonly wallet: BookedWallet; readonly token: Token; readonly place: BookPlace };
type OpenDay = {
  readonly day: string;
  readonly start: DayEnd;
  readonly end: DayEnd;
  readonly readings: ReadonlyMap<Token, DayReading>;
};

/**
 * Keeps the books of one network. Each wallet's balance is observed as soon as a day's end is final. The day is
 * reconciled once all its blocks are read. A day that was begun and not ended is begun anew by the next process.
 */
export class Bookkeeper {
  private readonly wallets: BookedWallets;
  private readonly bounds: DayBounds;
  private readonly interruptions: Interruptions;
  private readonly commands: SystemCommands;
  /** The next days to observe and to reconcile; null until the log has told where the books stand. */
  private at: { observed: string; reconciled: string } | null = null;
  private open: OpenDay | null = null;
  /** The log's head as it was read for each question that waits for the index. */
  private readonly goals = new Map<string, LogPosition>();

  constructor(private readonly parts: BookkeeperParts) {
    const { mode, network, chain, clock, log } = parts;
    this.commands = parts.commands.of('books');
    this.wallets = new BookedWallets({ ...parts, commands: this.commands });
    this.bounds = new DayBounds(mode, network, chain);
    this.interruptions = new Interruptions(clock, log, 'the books were interrupted');
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { mode, network, clock } = this.parts;
    // Another process may have kept the books since the last run.
    this.forget();
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await this.round();
      } catch (error) {
        this.interruptions.tell(error, { mode, network });
        // After an outage a day goes on where its reading stopped.
        if (outageOf(error) === null || isRefusal(error, 'provider_response_invalid')) this.forget();
      }
      await clock.wait(isMore ? PACE_MS : POLL_MS, signal);
    }
  }

  /** One step of each kind. True where there is more to do at once. */
  async round(): Promise<boolean> {
    const scannedMs = await this.parts.scannedUntil();
    if (scannedMs === null) return false;
    const at = (this.at ??= await this.begin(scannedMs));
    if (at === null) return false;
    const isObserved = await this.observe(at, scannedMs);
    return (await this.reconcile(at)) || isObserved;
  }

  private forget(): void {
    this.at = null;
    this.open = null;
    this.goals.clear();
    this.bounds.forget();
  }

  /** Null while the index is behind the log. Books begin with the day before the one that is scanned. */
  private async begin(scannedMs: number): Promise<Bookkeeper['at']> {
    if (!(await this.holdsAll('begin', [reconciliationsReadModel, walletsReadModel]))) return null;
    const first = dayBefore(dayOf(scannedMs));
    const pending = await this.dayOf('pending', false);
    const newest = [pending, await this.dayOf('balanced', true), await this.dayOf('different', true)];
    const reconciled = pending ?? newest.reduce(later, null) ?? first;
    return { observed: [...newest, await this.dayOf('pending', true)].reduce(later, null) ?? first, reconciled };
  }

  private async dayOf(status: ReconciliationDocument['status'], descending: boolean): Promise<string | null> {
    const { mode, network, readModels } = this.parts;
    const equals = { mode, network_id: network, status };
    const query = { index: 'by_network', equals, descending, limit: 1 };
    return (await readModels.list(reconciliationsReadModel, query))[0]?.body.day ?? null;
  }

  /**
   * Whether the lists hold the log up to its head, as it was read when `question` first arose. An index that follows a
   * busy log is never at its newest head.
   */
  private async holdsAll(question: string, lists: readonly List[]): Promise<boolean> {
    const { progress } = this.parts;
    const goal = this.goals.get(question) ?? (await progress.head());
    this.goals.set(question, goal);
    for (const list of lists) if (!(await progress.holds(list, goal))) return false;
    this.goals.delete(question);
    return true;
  }

  /** True where a day was observed. */
  private async observe(at: { observed: string }, scannedMs: number): Promise<boolean> {
    const day = at.observed;
    if (scannedMs < startOfDay(dayAfter(day))) return false;
    const end = await this.bounds.endOf(day);
    if (end === null || !(await this.holdsAll(`observe ${day}`, [walletsReadModel]))) return false;
    const { last } = end;
    if (last) {
      const accounts = await this.accountsOf(day);
      await eachAtOnce(accounts, AT_ONCE, account => this.observeOne(account, last));
    }
    at.observed = dayAfter(day);
    return true;
  }

  private async observeOne({ wallet, token, place }: Account, last: NonNullable<DayEnd['last']>): Promise<void> {
    const { mode, chainBalances, log } = this.parts;
    const id = balanceStreamId(place);
    const { state } = await this.commands.read(balances, mode, id);
    if (state.observed !== null || state.isReconciled) return;
    const baseUnits = await chainBalances.balanceAt(token.contract[mode], wallet.address, last);
    if (baseUnits === null) {
      log.warn({ mode, ...place, block: last.number }, 'no provider tells the balance at the end of a day any more');
      return;
    }
    const { number: block_number, hash: block_hash } = last;
    const balance = { ...place, block_number, block_hash, balance_base_units: baseUnits.toString() };
    const command = { type: 'observe', balance } as const;
    const plan = () => ({ command, actor: 'watcher', merchantId: wallet.merchantId }) as const;
    await this.commands.execute(balances, id, plan, { mode, cause: null });
  }

  /** True where a piece was read, or a day was ended. */
  private async reconcile(at: { observed: string; reconciled: string }): Promise<boolean> {
    const day = at.reconciled;
    if (day >= at.observed) return false;
    if (this.open?.day !== day) this.open = await this.openDay(day);
    const { open } = this;
    if (open === null) return false;
    const reading = [...open.readings.values()].find(({ isDone }) => !isDone);
    if (reading) {
      await reading.readPiece();
      return true;
    }
    const { number } = await this.parts.chain.head();
    for (const each of open.readings.values()) if (!(await each.finish(number))) return false;
    await this.close(open);
    at.reconciled = dayAfter(day);
    this.open = null;
    return true;
  }

  /** Null while blocks of the day are unread. The readings are none where each account is reconciled already. */
  private async openDay(day: string): Promise<OpenDay | null> {
    const { mode, tokens, isReadBelow } = this.parts;
    const [start, end] = [await this.bounds.endOf(dayBefore(day)), await this.bounds.endOf(day)];
    if (start === null || end === null) return null;
    const { last } = end;
    if (last && !((await isReadBelow(end.next)) && (await this.holdsAll(`reconcile ${day}`, FOLLOWED)))) return null;
    const open = last ? await this.unreconciledAccounts(day) : [];
    if (open.length === 0 || !last) return { day, start, end, readings: new Map() };
    const from = start.last ? start.last.number + 1 : 0;
    const { commands } = this;
    const readings = tokens.map(token => {
      const wallets = open.filter(account => account.token === token).map(({ wallet }) => wallet);
      const records = new TransferRecords({ ...this.parts, mode, token, commands });
      return [
        token,
        new DayReading({ ...this.parts, token, records, wallets, startMs: startOfDay(day), from, last }),
      ] as const;
    });
    return { day, start, end, readings: new Map(readings) };
  }

  private async close({ day, start, end, readings }: OpenDay): Promise<void> {
    const { mode, network, log } = this.parts;
    if (readings.size === 0) return;
    const different: object[] = [];
    const accounts = await this.unreconciledAccounts(day);
    await eachAtOnce(accounts, AT_ONCE, async ({ wallet, token, place }) => {
      const opening = await this.balanceOf({ ...place, day: dayBefore(day) }, start);
      const closing = await this.balanceOf(place, end);
      const sums = readings.get(token)?.sumsOf(wallet.id)?.closed(place, { opening, closing });
      if (!sums) return;
      const command = { type: 'reconcile', day: sums } as const;
      const plan = () => ({ command, actor: 'watcher', merchantId: wallet.merchantId }) as const;
      await this.commands.execute(balances, balanceStreamId(place), plan, { mode, cause: null });
      if (sums.differences_in_all > 0) different.push({ wallet: wallet.id, difference: sums.difference_base_units });
    });
    const facts = { mode, network, day, accounts: accounts.length, different: different.length };
    if (different.length === 0) log.info(facts, 'the books of a day are balanced');
    else log.error({ ...facts, wallets: different.slice(0, MOST_TOLD) }, 'the books of a day differ from the chain');
  }

  /** Null where no balance was observed, or where the chain has another block at the end of that day by now. */
  private async balanceOf(place: BookPlace, { last }: DayEnd): Promise<bigint | null> {
    const { state } = await this.commands.read(balances, this.parts.mode, balanceStreamId(place));
    const { observed } = state;
    return observed !== null && observed.block_hash === last?.hash ? BigInt(observed.balance_base_units) : null;
  }

  private async accountsOf(day: string): Promise<readonly Account[]> {
    const wallets = await this.wallets.before(startOfDay(dayAfter(day)));
    return wallets.flatMap(wallet =>
      this.parts.tokens.map(token => ({ wallet, token, place: { wallet_id: wallet.id, token_id: token.id, day } })),
    );
  }

  private async unreconciledAccounts(day: string): Promise<readonly Account[]> {
    const accounts = await this.accountsOf(day);
    const reconciled = new Set<Account>();
    await eachAtOnce(accounts, AT_ONCE, async account => {
      const { state } = await this.commands.read(balances, this.parts.mode, balanceStreamId(account.place));
      if (state.isReconciled) reconciled.add(account);
    });
    return accounts.filter(account => !reconciled.has(account));
  }
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other > one) ? other : one;
}
