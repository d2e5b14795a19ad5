import { MINUTE_MS, type Clock } from '../kernel/clock';
import { refuse } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import { everyDocument } from '../kernel/every-document';
import type { LogPosition } from '../kernel/log-position';
import type { IndexProgress } from '../kernel/ports/index-progress';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import type { NetworkId } from '../vocabulary/networks';
import { walletsReadModel } from '../modules/wallets/wallets.read-model';
import { watchedWallets } from '../modules/wallets/watched-wallets';

const PAGE = 1_000;
/** A projection that follows the log is up to date within a second or two. */
const OVERDUE_AFTER_MS = MINUTE_MS / 2;

type WalletListParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  /** Absent where the network has no verification address. */
  readonly deposits?: { readonly address: string };
  readonly readModels: ReadModels;
  readonly progress: IndexProgress;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * The addresses at which a watcher looks. Blocks are covered by the list and not read again, so payments to a wallet
 * outside the list would be lost. The list may lack a wallet because the documents were restored from a copy, or
 * because their projection stands still. A scan waits until the list is complete.
 */
export class WalletList {
  /** The log's head, read after the watcher had cause to doubt the list; null until then. */
  private goal: LogPosition | null = null;
  private behindSinceMs: number | null = null;
  private isOverdueTold = false;

  constructor(private readonly parts: WalletListParts) {}

  /** The caller calls this where the documents may be other ones than before. */
  doubt(): void {
    this.goal = null;
  }

  /** The list is asked for before each scan: documents may be put back to an earlier state without any outage. */
  async isComplete(): Promise<boolean> {
    const { progress } = this.parts;
    const goal = (this.goal ??= await progress.head());
    const isComplete = await progress.holds(walletsReadModel, goal);
    this.tell(isComplete, goal);
    return isComplete;
  }

  /** Whether the list has been behind for longer than a following projection takes. */
  get isOverdue(): boolean {
    return this.behindSinceMs !== null && this.parts.clock.now() - this.behindSinceMs >= OVERDUE_AFTER_MS;
  }

  /** The verification address, then those of all verified wallets: each once, in a stable order. */
  async addresses(): Promise<readonly string[]> {
    const { mode, network, deposits, readModels } = this.parts;
    const addresses = new Set(deposits && [deposits.address]);
    const query = { ...watchedWallets(mode, network), limit: PAGE };
    try {
      for await (const { body } of everyDocument(readModels, walletsReadModel, query)) addresses.add(body.address);
    } catch (error) {
      this.doubt();
      throw error;
    }
    return [...addresses];
  }

  /** Throws Refusal provider_unavailable while the list is behind. */
  async completeAddresses(): Promise<readonly string[]> {
    if (await this.isComplete()) return this.addresses();
    throw refuse('provider_unavailable', { message: 'The list of wallets is behind the log.' });
  }

  private tell(isComplete: boolean, position: LogPosition): void {
    const { mode, network, clock, log } = this.parts;
    const facts = { mode, network, projection: walletsReadModel.name, position };
    if (isComplete) {
      if (this.behindSinceMs !== null) log.info(facts, 'the list of wallets has caught up: scanning goes on');
      this.behindSinceMs = null;
      this.isOverdueTold = false;
    } else if (this.behindSinceMs === null) {
      this.behindSinceMs = clock.now();
      log.info(facts, 'the list of wallets is behind the log: scanning waits for it');
    } else if (this.isOverdue && !this.isOverdueTold) {
      this.isOverdueTold = true;
      log.error(facts, 'the list of wallets stays behind the log: nothing is scanned');
    }
  }
}
