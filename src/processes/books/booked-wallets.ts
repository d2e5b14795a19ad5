import { eachAtOnce } from '../../kernel/at-once';
import { BoundedMap } from '../../kernel/bounded-map';
import { parseIsoTime } from '../../kernel/clock';
import { everyDocument } from '../../kernel/every-document';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SystemCommands } from '../../kernel/system-commands';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import { coverage, coverageStreamId } from '../../modules/coverage/coverage.decider';
import { wallets } from '../../modules/wallets/wallet.decider';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { watchedWallets } from '../../modules/wallets/watched-wallets';

const PAGE = 1_000;
const AT_ONCE = 16;
const REMEMBERED = 10_000;

/** A verified wallet. `watchedFromMs`: the wall's moment from which on the watcher looks at its transfers. */
export type BookedWallet = {
  readonly id: string;
  readonly merchantId: string;
  readonly address: string;
  readonly watchedFromMs: number;
};

type BookedWalletsParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  /** Tells the chain from another one of the same network. */
  readonly instance: string;
  readonly readModels: ReadModels;
  readonly commands: SystemCommands;
};

/** The wallets of a network whose books are kept. */
export class BookedWallets {
  private readonly verified = new BoundedMap<string, number>(REMEMBERED);
  private coveredFromMs: number | null = null;

  constructor(private readonly parts: BookedWalletsParts) {}

  /** The wallets that were watched before the moment, in a stable order. */
  async before(timeMs: number): Promise<readonly BookedWallet[]> {
    const { mode, network, readModels } = this.parts;
    const query = { ...watchedWallets(mode, network), limit: PAGE };
    const listed: Omit<BookedWallet, 'watchedFromMs'>[] = [];
    for await (const { id, body } of everyDocument(readModels, walletsReadModel, query))
      listed.push({ id, merchantId: body.merchant_id, address: body.address });
    const startMs = await this.startOfCoverage();
    const watchedFrom = new Map<string, number>();
    await eachAtOnce(listed, AT_ONCE, async ({ id }) => {
      watchedFrom.set(id, Math.max(startMs, await this.verifiedAt(id)));
    });
    return listed
      .map(wallet => ({ ...wallet, watchedFromMs: watchedFrom.get(wallet.id) as number }))
      .filter(({ watchedFromMs }) => watchedFromMs < timeMs);
  }

  /** By the wall's clock, since blocks know no merchant's. */
  private async verifiedAt(id: string): Promise<number> {
    const known = this.verified.get(id);
    if (known !== undefined) return known;
    const { history } = await this.parts.commands.read(wallets, this.parts.mode, id);
    const verified = history.find(({ type }) => type === 'WalletVerified');
    const timeMs = verified ? parseIsoTime(verified.metadata.recorded_at) : Infinity;
    if (verified) this.verified.set(id, timeMs);
    return timeMs;
  }

  /** Blocks before the first covered one were never looked at. */
  private async startOfCoverage(): Promise<number> {
    if (this.coveredFromMs !== null) return this.coveredFromMs;
    const { mode, network, instance, commands } = this.parts;
    const { history } = await commands.read(coverage, mode, coverageStreamId(network, instance, 'start'));
    const started = history.find(({ type }) => type === 'CoverageStarted');
    if (started?.type !== 'CoverageStarted') return Infinity;
    return (this.coveredFromMs = parseIsoTime(started.data.time));
  }
}
