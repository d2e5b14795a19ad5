import type { Clock } from '../kernel/clock';
import { refuse, type Refusal } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import { invariant, unreachable } from '../kernel/invariant';
import { isProviderFault } from '../kernel/outage';
import type { BlockHeader, Chain } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { Token } from '../vocabulary/tokens';
import { NETWORKS, type NetworkId } from '../vocabulary/networks';
import type { MicroDepositFollower } from '../processes/micro-deposit/micro-deposit-follower';
import { BacklogPlacing } from './backlog-placing';
import { ChainScan, type ScanRequest } from './chain-scan';
import type { CoverageRecord, Cursor } from './coverage-record';
import { Covering } from './covering';
import { Following } from './following';
import type { PaymentFollower } from './payment-follower';
import type { NetworkLags } from './network-lags';
import { ReadingIntake } from './reading-intake';
import { SetAsideFull, type SetAside } from './set-aside';
import type { SetAsideRoom } from './set-aside-room';
import { asksForAddresses, asksForWallets, headsOf, isScanDue, learn, planTick } from './tick-plan';
import type { Finding, Standing, Step } from './tick-plan';
import type { TransferSightings } from './transfer-sightings';
import type { UnplacedBacklog } from './unplaced-backlog';
import type { WalletList } from './wallet-list';
import type { WatchPolicy } from '../vocabulary/watch-policy';

/** Plans of one tick: each finding makes one, and a finding comes back only with a replaced block. */
const PLANS_A_TICK = 16;

type WatcherTickParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly policy: WatchPolicy;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly coverage: CoverageRecord;
  readonly setAside: SetAside;
  readonly room: SetAsideRoom;
  readonly wallets: WalletList;
  readonly sightings: TransferSightings;
  readonly backlog: UnplacedBacklog;
  readonly lags: Pick<NetworkLags, 'seeHead'>;
  readonly follower: PaymentFollower;
  /** Absent where the network has no verification address. */
  readonly deposits?: { readonly follower: MicroDepositFollower };
  readonly clock: Clock;
  readonly log: Log;
};

/** The facts that the steps of one tick share: the first look-ups, and the outcomes of the steps. */
type UnderWay = ScanRequest & {
  readonly finalizedHeight: number | null;
  /** The reason why no final block is answered; null where one is. */
  readonly fault: Refusal | null;
  /** The block before the first one, where the network was never watched. */
  readonly start: () => Promise<BlockHeader>;
  /** The blocks up to this one are read by now. */
  readTo: Cursor;
  /** The block to which coverage may move. */
  agreed: BlockHeader | null;
};

/**
 * Carries out ticks: looks at the chain, and takes the steps that `planTick` gives, one after the other. The clock and
 * the backlog move meanwhile, so two things are judged here: the time for the backlog, and whether it is all placed. A
 * head counts as scanned from the end of its scan until the next scan.
 */
export class WatcherTick {
  private seenAtMs = 0;
  /** The hash of the head up to which the last scan came; null since a scan that has not ended. */
  private scannedHead: string | null = null;
  /** The moment of the next tick after one that has placed transfers of the backlog; null where there were none. */
  private placingUntilMs: number | null = null;
  private readonly scan: ChainScan;
  private readonly covering: Covering;
  private readonly following: Following;
  private readonly placing: BacklogPlacing;

  constructor(private readonly parts: WatcherTickParts) {
    const { chain, clock, policy, follower, deposits } = parts;
    const between = (): Promise<void> => this.following.between();
    const seenAtMs = (): number => this.seenAtMs;
    const hasLeftOut = (): boolean => this.scan.hasLeftOut;
    const { observe, leaveUnread } = new ReadingIntake({ ...parts, seenAtMs, hasLeftOut, between });
    this.covering = new Covering(parts);
    this.scan = new ChainScan({
      ...parts,
      observe,
      leaveUnread,
      reached: height => this.following.reached(height),
      read: async (progress, recipients) => {
        await this.covering.read(progress);
        // A backfill spends the time that the tick has for the backlog.
        if (clock.now() < this.seenAtMs + policy.pollMs) await this.placeAll(recipients);
      },
      placeUpTo: (readTo, recipients) => this.placing.place({ untilMs: Infinity, readTo, recipients }),
    });
    this.following = new Following(chain, this.scan, follower, deposits?.follower ?? null, clock);
    this.placing = new BacklogPlacing({ ...parts, ranges: this.scan.ranges, between });
  }

  /** The pause before the next tick; none while transfers wait for their places. */
  get pauseMs(): number {
    const { clock, policy } = this.parts;
    return this.placingUntilMs === null ? policy.pollMs : Math.max(0, this.placingUntilMs - clock.now());
  }

  /** Blocks may be replaced, and not be scanned in their turn: none of the earlier ones is known to stand. */
  forget(): void {
    this.scan.forget();
    this.covering.forget();
    this.scannedHead = null;
    this.following.forget();
  }

  /** Blocks above coverage were all scanned as far as the remembered tail reaches, where it begins right above. */
  hasScannedBelow(height: number): boolean {
    const cursor = this.parts.coverage.position;
    if (cursor === null) return false;
    const newest = this.scan.newestAbove(cursor) ?? cursor;
    return height <= newest.number + 1;
  }

  async run(signal?: AbortSignal): Promise<void> {
    const { underWay, ...looked } = await this.look(signal);
    let { at } = looked;
    for (let plans = 1; ; plans++) {
      invariant(plans <= PLANS_A_TICK, 'a tick comes to its end');
      underWay.readTo = at.read;
      const found = await this.takeAll(planTick(this.parts.policy, at), at, underWay);
      if (found === null) return;
      at = learn(at, found);
    }
  }

  private async look(signal?: AbortSignal): Promise<{ readonly at: Standing; readonly underWay: UnderWay }> {
    const { mode, network, chain, coverage, wallets, backlog, clock } = this.parts;
    this.following.begin(null);
    // The moment before the request for the head: blocks that were mined by then are in this scan.
    this.seenAtMs = clock.now();
    const head = await chain.head();
    this.parts.lags.seeHead(head, this.seenAtMs);
    const { finalizedHeight, fault } = await this.finality();
    const progress = finalizedHeight === null ? null : { head, finalizedHeight };
    this.following.begin(progress);
    const heads = headsOf(NETWORKS[network].finality[mode].standard, head, finalizedHeight);
    const start = async (): Promise<BlockHeader> => {
      if (fault !== null) throw fault;
      return this.scan.headerAt(heads.agreedHeight);
    };
    const cursor = await coverage.cursor(start);
    const isScanned = head.hash === this.scannedHead;
    // A block under way is looked at once: an address that joins meanwhile is met with the next one.
    const knowsWallets = !asksForWallets({ heads, isScanned }) || (await wallets.isComplete());
    const due = { heads, isScanned, knowsWallets };
    const recipients = asksForAddresses(due, backlog.isEmpty) ? await wallets.addresses() : [];
    if (isScanDue(due)) {
      this.scan.watchFor(recipients);
      this.scannedHead = null;
    }
    const read = this.covering.readFrom(cursor);
    const known = { isScanned, knowsWallets, found: null, replacements: 0 };
    const at = { cursor, read, tail: this.scan.newestAbove(read), heads, ...known };
    return { at, underWay: { head, finalizedHeight, fault, recipients, signal, start, readTo: read, agreed: null } };
  }

  /** Since a start, perhaps too few providers have answered to tell the final block. */
  private async finality(): Promise<Pick<UnderWay, 'finalizedHeight' | 'fault'>> {
    try {
      return { finalizedHeight: await this.parts.chain.finalizedHeight(), fault: null };
    } catch (fault) {
      if (!isProviderFault(fault)) throw fault;
      return { finalizedHeight: null, fault };
    }
  }

  /** Null where every step met the expected answer. */
  private async takeAll(steps: readonly Step[], at: Standing, underWay: UnderWay): Promise<Finding | null> {
    for (const step of steps) {
      try {
        const found = await this.take(step, at, underWay);
        if (found !== null) return found;
      } catch (fault) {
        if (!(fault instanceof SetAsideFull)) throw fault;
        return { kind: 'full', isPlacing: step.kind === 'place', fault };
      }
    }
    return null;
  }

  private async take(step: Step, at: Standing, underWay: UnderWay): Promise<Finding | null> {
    const { chain } = this.parts;
    switch (step.kind) {
      case 'forget':
        this.forget();
        return null;
      case 'ask_answered':
        return (await chain.agreedHash(step.height)) === null ? { kind: 'unanswered' } : null;
      case 'ask_tail':
        return (await chain.agreedHash(step.block.number)) === step.block.hash ? null : { kind: 'tail_gone' };
      case 'read_ranges':
        return this.readRanges(step, at, underWay);
      case 'read_open_end':
        invariant(step.above === underWay.readTo.number, 'the open end begins where reading came to');
        return this.scan.readOpenEnd(underWay.readTo, underWay);
      case 'seek_mark':
        return this.scan.seekMark(at.cursor);
      case 'go_back':
        return this.scan.goBack(step.to, at.cursor, underWay);
      case 'agree':
        underWay.agreed = await this.covering.agree(step.height, this.scan);
        return underWay.agreed === null ? { kind: 'disputed' } : null;
      case 'read_again':
        await this.readAgain(step.after, at, underWay);
        return null;
      case 'cover':
      case 'note':
        await this.cover(step, underWay);
        return null;
      case 'wait_for_room':
        await this.parts.room.fill(step.fault, underWay.start);
        return null;
      case 'follow':
        await this.follow(underWay);
        return null;
      case 'forget_replaced':
        this.scan.forgetReplaced();
        return null;
      case 'place':
        await this.placeAll(underWay.recipients, underWay.signal);
        return null;
      case 'clear_room_if_placed':
        if (this.parts.backlog.isEmpty) await this.parts.room.clear();
        return null;
      case 'interrupt':
        throw interruptionOf(step.reason, underWay.fault);
      default:
        return unreachable(step);
    }
  }

  private async readRanges(
    { after, to }: Extract<Step, { kind: 'read_ranges' }>,
    { read, tail }: Standing,
    underWay: UnderWay,
  ): Promise<Finding | null> {
    invariant(after.hash === read.hash || after.hash === tail?.hash, 'ranges begin behind a block that was read');
    const reached = await this.scan.readRanges(after, to, underWay);
    if ('kind' in reached) return reached;
    underWay.readTo = reached;
    return null;
  }

  /** One provider alone may have answered for these blocks first, and may have left something out. */
  private async readAgain(after: number, { cursor }: Standing, { agreed, recipients }: UnderWay): Promise<void> {
    invariant(agreed !== null, 'a block is agreed on before all up to it is read again');
    invariant(after <= this.covering.readFrom(cursor).number, 'no block is left out of the second reading');
    await this.scan.ranges.scan(after + 1, agreed, recipients);
  }

  private async cover(
    { kind, deadlines }: Extract<Step, { kind: 'cover' | 'note' }>,
    { head, agreed }: UnderWay,
  ): Promise<void> {
    const { seenAtMs } = this;
    if (kind === 'note') await this.covering.note(head, seenAtMs, deadlines);
    else {
      invariant(agreed !== null, 'a block is agreed on before it is covered');
      await this.covering.cover({ agreed, head, headerAt: this.scan.headerAt, seenAtMs }, deadlines);
    }
    this.scannedHead = head.hash;
  }

  private async follow({ head, finalizedHeight }: UnderWay): Promise<void> {
    invariant(finalizedHeight !== null, 'payments are followed once it is known what is final');
    await this.following.end({ head, finalizedHeight });
  }

  /** Places transfers until `pollMs` after the look at the head. Where any waited, the next tick begins then. */
  private async placeAll(recipients: readonly string[], signal?: AbortSignal): Promise<void> {
    const { backlog, policy } = this.parts;
    const untilMs = this.seenAtMs + policy.pollMs;
    this.placingUntilMs = backlog.isEmpty ? null : untilMs;
    await this.placing.place({ untilMs, readTo: this.covering.readTo, recipients, signal });
    await this.covering.follow();
  }
}

function interruptionOf(reason: Extract<Step, { kind: 'interrupt' }>['reason'], fault: Refusal | null): Refusal {
  switch (reason) {
    case 'unknown_finality':
      invariant(fault !== null, 'a fault hides the final block where that block is unknown');
      return fault;
    case 'replacements':
      return refuse('provider_response_invalid', { message: 'blocks were replaced again and again' });
    default:
      return unreachable(reason);
  }
}
