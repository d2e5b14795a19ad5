import { eachAtOnce } from '../kernel/at-once';
import { isoTime, MINUTE_MS, type Clock } from '../kernel/clock';
import { isRefusal } from '../vocabulary/errors';
import type { Mode } from '../vocabulary/modes';
import { outageOf } from '../kernel/outage';
import type { BlockHeader, ObservedTransfer } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import type { Token } from '../vocabulary/tokens';
import type { NetworkId } from '../vocabulary/networks';
import { TurnsByKey } from '../kernel/turns-by-key';
import { amountSlotId } from '../modules/amount-slots/amount-slot.decider';
import { slotOfAmount } from '../modules/quotes/amount-grid';
import { JudgementWaits } from '../processes/matching/judgement-waits';
import type { ReadingLookUps } from '../processes/matching/reading-look-ups';
import type { Sighting } from '../processes/matching/sighting';
import type { Precedence, TransferMatching } from '../processes/matching/transfer-matching';
import type { MicroDepositMatching } from '../processes/micro-deposit/micro-deposit-matching';
import type { DeferredPlace, SetAside } from './set-aside';
import type { WatchPolicy } from '../vocabulary/watch-policy';

/** Transfers that no payment waits for, under way at once. */
const AT_ONCE = 128;
/** Transfers that are looked at before other waiting work has a turn: reads of an embedded engine take none. */
const LOOKED_AT_IN_A_TURN = 128;
/** Transfers of one reading, to one address, that may be credited by inference: the scan waits for them. */
const LIKELY_LIMIT = 100;
const TELLING_EVERY_MS = 10 * MINUTE_MS;
const SETTING_ASIDE = 'setting aside';

export type SeenTransfer = {
  readonly token: Token;
  readonly transfer: ObservedTransfer;
  readonly block: BlockHeader;
  /** The wall's moment just before the request for the head under which the block was first seen. */
  readonly seenAtMs: number;
  /**
   * One provider alone may have read the block: it is read once more when it is agreed on, before coverage counts it.
   */
  readonly isProvisional: boolean;
  /** False where blocks below this one are not scanned yet: a retry beside the scan can be ahead of it. */
  readonly isReached?: boolean;
};

/** A transfer that no payment waited for as its block was read, with the look-ups of that reading. */
export type UnplacedTransfer = SeenTransfer & { readonly lookUps: ReadingLookUps };

type TransferSightingsParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly matching: TransferMatching;
  /** Absent where the network has no verification address. */
  readonly deposits?: { readonly address: string; readonly matching: MicroDepositMatching };
  readonly setAside: SetAside;
  readonly policy: Pick<WatchPolicy, 'paidAt'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Gives each transfer that was read its place: with its payment, in the queue, with the wallet that it proves, or set
 * aside.
 */
export class TransferSightings {
  private ignored = 0;
  private toldIgnored = 0;
  private nextTellingMs = 0;
  private readonly settingAside = new TurnsByKey();

  constructor(private readonly parts: TransferSightingsParts) {}

  /** Transfers of nothing, and too small ones that match nothing, leave no event: their number is told now and then. */
  tellIgnored(): void {
    const { clock, log, mode, network } = this.parts;
    const { ignored } = this;
    if (ignored === this.toldIgnored || clock.now() < this.nextTellingMs) return;
    log.info({ mode, network, since_last: ignored - this.toldIgnored, in_all: ignored }, 'dust was ignored');
    this.toldIgnored = ignored;
    this.nextTellingMs = clock.now() + TELLING_EVERY_MS;
  }

  /**
   * Takes the transfers of one reading, in the order of their blocks. Gives a place to each one that a payment waits
   * for, that somebody has named, or that may be credited by inference. The payment would expire once coverage has
   * passed. Answers the others, of which anybody can send any number. Throws as `observe` does.
   */
  async observeAwaited(all: readonly SeenTransfer[]): Promise<readonly UnplacedTransfer[]> {
    const { matching, clock } = this.parts;
    const lookUps = matching.lookUps();
    const ranked: Readonly<Record<Precedence, SeenTransfer[]>> = {
      reserved: [],
      named: [],
      likely: [],
      other: [],
      placed: [],
    };
    const precedences = new Map<SeenTransfer, Precedence>();
    for (let start = 0; start < all.length; start += LOOKED_AT_IN_A_TURN) {
      if (start > 0) await clock.wait(0);
      await eachAtOnce(all.slice(start, start + LOOKED_AT_IN_A_TURN), AT_ONCE, async seen => {
        precedences.set(seen, await this.precedenceOf(seen, lookUps));
      });
    }
    const likelyTo = new Map<string, number>();
    for (const seen of all) {
      const precedence = precedences.get(seen) ?? 'other';
      const { to } = seen.transfer;
      if (precedence === 'likely') likelyTo.set(to, (likelyTo.get(to) ?? 0) + 1);
      ranked[(likelyTo.get(to) ?? 0) > LIKELY_LIMIT && precedence === 'likely' ? 'other' : precedence].push(seen);
    }
    for (const seen of [...ranked.reserved, ...ranked.named, ...ranked.likely]) await this.observe(seen, lookUps);
    return ranked.other.map(seen => ({ ...seen, lookUps }));
  }

  /** Takes transfers that no payment waited for as their blocks were read. Throws as `observe` does. */
  async placeAll(transfers: readonly UnplacedTransfer[], placed: (transfer: UnplacedTransfer) => void): Promise<void> {
    await eachAtOnce(transfers, AT_ONCE, async transfer => {
      await this.observe(transfer, transfer.lookUps);
      placed(transfer);
    });
  }

  /** A fault of the transfer's own shows again where the transfer is observed. */
  private async precedenceOf(seen: SeenTransfer, lookUps: ReadingLookUps): Promise<Precedence> {
    const { matching, deposits } = this.parts;
    try {
      if (seen.transfer.to === deposits?.address && (await deposits.matching.isMet(this.sightingOf(seen))))
        return 'reserved';
      return await matching.precedence(this.sightingOf(seen), lookUps);
    } catch (error) {
      if (outageOf(error) !== null) throw error;
      return 'reserved';
    }
  }

  /**
   * A fault of the transfer's own is no fault of its block: the transfer is set aside. Throws an outage, and
   * SetAsideFull.
   */
  async observe(seen: SeenTransfer, lookUps?: ReadingLookUps): Promise<void> {
    try {
      await this.place(seen, lookUps);
    } catch (error) {
      if (outageOf(error) !== null) throw error;
      // Transfers are deferred one after the other, or each would count without those beside it.
      await this.settingAside.run(SETTING_ASIDE, () => this.setAsideFor(seen, error));
    }
  }

  /** Throws where the transfer has found no place. */
  async place(seen: SeenTransfer, lookUps?: ReadingLookUps): Promise<void> {
    const { matching, deposits, setAside } = this.parts;
    const { token, transfer, block, isProvisional } = seen;
    const { txHash: tx_hash, ordinal } = transfer;
    const own = { tx_hash, ordinal, block_hash: block.hash };
    const gaplessBelow = (height: number, slotId: string | null, except?: DeferredPlace) =>
      setAside.requireGapless({ height, isReached: seen.isReached !== false }, slotId, except);
    const requireGapless = () => gaplessBelow(block.number, slotOf(token, transfer));
    const requireGaplessOn = (slotId: string | null) => gaplessBelow(block.number + 1, slotId, own);
    const sighting = { ...this.sightingOf(seen), block, requireGapless, requireGaplessOn };
    if (transfer.to === deposits?.address && (await deposits.matching.observe(sighting))) return;
    if (!(await matching.observe(sighting, lookUps)) && !isProvisional) this.ignored += 1;
  }

  private async setAsideFor(seen: SeenTransfer, error: unknown): Promise<void> {
    const { mode, network, log, setAside } = this.parts;
    const { token, transfer, block, seenAtMs, isProvisional } = seen;
    if (isProvisional) {
      const facts = { mode, network, tx_hash: transfer.txHash, block: block.number, err: error };
      log.warn(facts, 'a transfer met a fault of its own: it is met again when its block is agreed on');
      return;
    }
    const facts = {
      token_id: token.id,
      tx_hash: transfer.txHash,
      ordinal: transfer.ordinal,
      from: transfer.from,
      to: transfer.to,
      value_base_units: transfer.valueBaseUnits.toString(),
      block_number: block.number,
      block_hash: block.hash,
      block_time: isoTime(block.timeMs),
      seen_at: isoTime(seenAtMs),
      slot: error instanceof JudgementWaits ? error.slotId : slotOf(token, transfer),
      fault: isRefusal(error) ? error.code : error instanceof Error ? error.name : 'unknown',
    };
    if ((await setAside.isCrowded(facts, error)) && (await this.isQueued(seen))) return;
    await setAside.defer(facts, error);
  }

  /** False where a fault of the transfer's own keeps it out of the queue as well. */
  private async isQueued(seen: SeenTransfer): Promise<boolean> {
    const { mode, network, matching, log } = this.parts;
    const { transfer, block } = seen;
    try {
      await matching.queue(this.sightingOf(seen), 'too_many_waiting');
    } catch (error) {
      if (outageOf(error) !== null) throw error;
      return false;
    }
    const facts = { mode, network, tx_hash: transfer.txHash, ordinal: transfer.ordinal, block: block.number };
    log.warn(facts, 'too many transfers wait for the same: this one lies in the queue');
    return true;
  }

  private sightingOf({ token, transfer, block, seenAtMs, isProvisional }: SeenTransfer): Sighting {
    const { mode, policy } = this.parts;
    const paidAtMs = policy.paidAt === 'first_sight' ? seenAtMs : block.timeMs;
    return { mode, token, transfer, block, paidAtMs, isProvisional };
  }
}

function slotOf(token: Token, { to, valueBaseUnits }: ObservedTransfer): string | null {
  const slot = slotOfAmount(token, valueBaseUnits);
  return slot === null ? null : amountSlotId(token.network, to, token.id, slot);
}
