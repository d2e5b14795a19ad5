import { walletsProjection } from '../../projections/wallets/wallets.projection';
import { isoTime, type Clock } from '../kernel/clock';
import type { Mode } from '../kernel/event';
import { refuse } from '../kernel/errors';
import type { BlockHeader, Chain, ObservedTransfer } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { ReadModels } from '../kernel/ports/read-models';
import { NETWORKS, type NetworkId, type Token } from '../kernel/tokens';
import type { TransferMatching } from '../processes/matching/transfer-matching';
import type { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import type { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import { BlockTail, TAIL_BLOCKS } from './block-tail';
import type { CoverageLedger, Cursor } from './coverage-ledger';
import type { PaymentFollower } from './payment-follower';

const POLL_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Blocks that one backfill step reads before it records how far it came. */
const BACKFILL_SPAN = 1_000;
const WALLET_PAGE = 1_000;

/** The address that micro-deposits go to, and who takes them. */
export type WatchedDeposits = {
  readonly address: string;
  readonly matching: MicroDepositMatching;
  readonly follower: MicroDepositFollower;
};

export type WatcherParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly readModels: ReadModels;
  readonly matching: TransferMatching;
  readonly follower: PaymentFollower;
  /** Absent where the network has no verification address. */
  readonly deposits?: WatchedDeposits;
  readonly coverage: CoverageLedger;
  readonly clock: Clock;
  readonly log: Log;
  /** On a sandbox chain, a transfer belongs to the reservation open when it is first seen, by the service's clock. */
  readonly matchAtFirstSight: boolean;
};

/**
 * Watches one network of one mode. Blocks are scanned by their hash, once each, from the last covered one to the head; what a
 * reorganisation replaces is scanned again; the cursor follows where no reorganisation reaches.
 */
export class NetworkWatcher {
  private readonly tail = new BlockTail();
  private scannedFor = '';

  constructor(private readonly parts: WatcherParts) {}

  /** Resolves when `signal` aborts. A failing provider is asked again with growing pauses. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, mode, network } = this.parts;
    for (let pauseMs = POLL_MS; !signal.aborted;) {
      try {
        await this.tick();
        pauseMs = POLL_MS;
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
        log.error({ mode, network, err: error, retry_in_ms: pauseMs }, 'watching was interrupted');
      }
      await clock.wait(pauseMs, signal);
    }
  }

  async tick(): Promise<void> {
    const { chain, coverage, follower, deposits } = this.parts;
    const head = await chain.head();
    const finalizedHeight = await chain.finalizedHeight();
    const settledHeight = Math.min(finalizedHeight, head.number - this.depth);
    let cursor = await coverage.cursor(async () => this.startOf(settledHeight));
    const recipients = await this.recipients();
    if (head.number - cursor.number > TAIL_BLOCKS) cursor = await this.backfill(cursor, settledHeight, recipients);
    await this.scanOpenEnd(head, cursor, recipients);
    const settled = await this.headerAt(settledHeight, head);
    if (settled && settledHeight > cursor.number) await coverage.advance(settled, head);
    else await coverage.noteHead(head);
    const view = { head, finalizedHeight, hashAt: (height: number) => this.hashAt(height) };
    await follower.follow(view);
    await deposits?.follower.follow(view);
  }

  private get depth(): number {
    return NETWORKS[this.parts.network].requiredConfirmations[this.parts.mode];
  }

  /** Where a network that was never watched begins: nothing was payable before. */
  private async startOf(settledHeight: number): Promise<BlockHeader> {
    const block = await this.parts.chain.blockAt(Math.max(settledHeight, 0));
    if (!block) throw refuse('provider_response_invalid', { message: `no block at ${settledHeight}, below the head` });
    return block;
  }

  /** New blocks from the last one known up to the head, found by walking back along parent hashes. */
  private async scanOpenEnd(head: BlockHeader, cursor: Cursor, recipients: readonly string[]): Promise<void> {
    // An address that joined since the open end was scanned may have been paid in it.
    const watched = recipients.join();
    if (watched !== this.scannedFor) this.tail.clear();
    const fresh: BlockHeader[] = [];
    for (let block = head; block.number > cursor.number && !this.tail.has(block);) {
      fresh.unshift(block);
      const parent = await this.parts.chain.blockAt(block.number - 1);
      if (parent?.hash !== block.parentHash) return; // The chain moved while we walked: the next tick sees it whole.
      if (parent.number === cursor.number && parent.hash !== cursor.hash) {
        throw refuse('provider_response_invalid', {
          message: `block ${cursor.number} is final, yet its hash has changed`,
        });
      }
      block = parent;
    }
    for (const block of fresh) {
      await this.scan(block, recipients);
      this.tail.add(block);
    }
    this.scannedFor = watched;
  }

  private async scan(block: BlockHeader, recipients: readonly string[]): Promise<void> {
    if (recipients.length === 0) return;
    const { chain, tokens, mode } = this.parts;
    for (const token of tokens) {
      const found = await chain.transfersInBlock(block.hash, token.contract[mode], recipients);
      for (const transfer of found) await this.observe(token, transfer, block);
    }
  }

  /** What reaches the verification address may prove a wallet; otherwise it is a transfer as any other. */
  private async observe(token: Token, transfer: ObservedTransfer, block: BlockHeader): Promise<void> {
    const { mode, matching, deposits } = this.parts;
    const sighting = { mode, token, transfer, block, paidAtMs: this.paidAt(block) };
    if (transfer.to === deposits?.address && (await deposits.matching.observe(sighting))) return;
    await matching.observe(sighting);
  }

  private paidAt(block: BlockHeader): number {
    return this.parts.matchAtFirstSight ? this.parts.clock.now() : block.timeMs;
  }

  /** After an outage: final blocks are read in ranges, each recorded before the next. */
  private async backfill(from: Cursor, settledHeight: number, recipients: readonly string[]): Promise<Cursor> {
    const { chain, tokens, mode, coverage, log, network } = this.parts;
    let cursor = from;
    while (cursor.number < settledHeight) {
      const to = Math.min(cursor.number + BACKFILL_SPAN, settledHeight);
      for (const token of recipients.length > 0 ? tokens : []) {
        const found = await chain.transfersInRange(cursor.number + 1, to, token.contract[mode], recipients);
        for (const transfer of found) {
          const block = await chain.blockAt(transfer.blockNumber);
          if (block?.hash !== transfer.blockHash)
            throw refuse('provider_response_invalid', { message: 'a final block changed' });
          await this.observe(token, transfer, block);
        }
      }
      const end = await chain.blockAt(to);
      if (!end) throw refuse('provider_response_invalid', { message: `no block at ${to}, below the head` });
      cursor = await coverage.advance(end, end);
      log.info({ mode, network, to, covered_to: isoTime(end.timeMs) }, 'backfilled');
    }
    return cursor;
  }

  private async headerAt(height: number, head: BlockHeader): Promise<BlockHeader | null> {
    return height === head.number ? head : this.parts.chain.blockAt(height);
  }

  private async hashAt(height: number): Promise<string | null> {
    return this.tail.hashAt(height) ?? (await this.parts.chain.blockAt(height))?.hash ?? null;
  }

  /** The verification address and those of all verified wallets, each once, in a stable order. */
  private async recipients(): Promise<readonly string[]> {
    const { mode, network, readModels, deposits } = this.parts;
    const equals = { mode, network_id: network, status: 'verified' };
    const addresses = new Set<string>(deposits && [deposits.address]);
    for (let after: { address: string; id: string } | undefined, more = true; more;) {
      const query = { index: 'by_network', equals, limit: WALLET_PAGE, ...(after && { after }) };
      const page = await readModels.list(walletsProjection, query);
      for (const { body } of page) addresses.add(body.address);
      const last = page.at(-1);
      more = page.length === WALLET_PAGE;
      after = last && { address: last.body.address, id: last.id };
    }
    return [...addresses];
  }
}
