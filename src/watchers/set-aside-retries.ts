import { MINUTE_MS, parseIsoTime, SECOND_MS, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import { Interruptions } from '../kernel/interruptions';
import { invariant, unreachable } from '../kernel/invariant';
import { outageOf } from '../kernel/outage';
import type { BlockHeader, BlockReading, Chain } from '../kernel/ports/chain';
import type { Log } from '../kernel/ports/log';
import { TOKENS, type Token } from '../vocabulary/tokens';
import type { NetworkId } from '../vocabulary/networks';
import type { SetAsideNotice } from '../modules/outbox/mail-kinds';
import type { Cursor } from './coverage-record';
import { LongHoles } from './long-holes';
import { planRetry, type RetryAnswers, type SetAsidePlace } from './retry-plan';
import type { SetAside } from './set-aside';
import { DEFERRED_LIMIT, HOLES_LIMIT, type Deferred, type Hole } from './set-aside-lists';
import { nullWhereUnanswered } from './answered-header';
import type { TransferSightings } from './transfer-sightings';
import type { WatchPolicy } from '../vocabulary/watch-policy';

const PAUSE_MS = 10 * SECOND_MS;
/** A round without progress doubles the pause, up to this: a lasting fault takes little of a process's time. */
const LONGEST_PAUSE_MS = 2 * MINUTE_MS;
/** Blocks read again in one round: each may be as large as a block can be. */
const HOLES_A_ROUND = 4;
const TRANSFERS_A_ROUND = 32;

type SetAsideRetriesParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly instance: string;
  readonly policy: Pick<WatchPolicy, 'holesBy'>;
  readonly tokens: readonly Token[];
  readonly chain: Chain;
  readonly setAside: SetAside;
  readonly sightings: TransferSightings;
  /** The end of coverage; null before it was read. */
  readonly cursor: () => Cursor | null;
  /** Whether every block below the height was scanned. */
  readonly hasScannedBelow: (height: number) => boolean;
  readonly recipients: () => Promise<readonly string[]>;
  /** Whether the scan waits for room. */
  readonly isFull: () => boolean;
  /** Called after each round while something is set aside. */
  readonly tellOperator: (notice: SetAsideNotice) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The state of a place: its block where that stands, and otherwise the next step. */
type Standing =
  { readonly step: 'read'; readonly block: BlockHeader } | { readonly step: 'leave' | 'drop' | 'read_pieces' };

/** Tries again, beside the scan, the blocks and transfers that are set aside. Each round takes the next few. */
export class SetAsideRetries {
  private lastHole: Hole | undefined;
  private lastDeferred: Deferred | undefined;
  private isAny = false;
  private pauseMs = PAUSE_MS;
  /** The fault of the providers, at the last place that was tried. */
  private fault: Error | null = null;

  private readonly interruptions: Interruptions;
  private readonly longHoles: LongHoles;

  constructor(private readonly parts: SetAsideRetriesParts) {
    const { clock, log } = parts;
    this.interruptions = new Interruptions(clock, log, 'what is set aside could not be tried again');
    this.longHoles = new LongHoles(parts);
  }

  /** Whether the last round left anything set aside. */
  get isSetAside(): boolean {
    return this.isAny;
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, mode, network } = this.parts;
    while (!signal.aborted) {
      try {
        await this.round();
      } catch (error) {
        this.interruptions.tell(error, { mode, network });
      }
      await clock.wait(this.pauseMs, signal);
    }
  }

  /** Holes come first: late transfers wait for them. Throws an outage; the operator is told all the same. */
  async round(): Promise<void> {
    let furthered = 0;
    this.fault = null;
    try {
      for (const hole of await this.nextHoles()) furthered += await this.count(hole.id, () => this.retryHole(hole));
      for (const transfer of await this.nextDeferred())
        furthered += await this.count(transfer.id, () => this.retryTransfer(transfer));
    } finally {
      await this.tell();
    }
    this.pauseMs = furthered > 0 || !this.isAny ? PAUSE_MS : Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    const fault = this.fault as Error | null;
    if (fault !== null) throw fault;
  }

  private async nextHoles(): Promise<readonly Hole[]> {
    const holes = await this.parts.setAside.holes(HOLES_A_ROUND, { after: this.lastHole });
    this.lastHole = holes.length === HOLES_A_ROUND ? holes.at(-1) : undefined;
    return holes;
  }

  private async nextDeferred(): Promise<readonly Deferred[]> {
    const deferred = await this.parts.setAside.deferred(TRANSFERS_A_ROUND, { after: this.lastDeferred });
    this.lastDeferred = deferred.length === TRANSFERS_A_ROUND ? deferred.at(-1) : undefined;
    return deferred;
  }

  private async tell(): Promise<void> {
    const { mode, network, setAside, isFull, tellOperator } = this.parts;
    const holes = await setAside.holes(HOLES_LIMIT);
    const deferred = await setAside.deferred(DEFERRED_LIMIT);
    const times = [...holes.map(({ body }) => body.opened_at), ...deferred.map(({ body }) => body.deferred_at)];
    const [since] = times.sort();
    this.isAny = since !== undefined;
    if (since === undefined) return;
    const counts = { holes: holes.length, deferred: deferred.length };
    await tellOperator({ mode, network, ...counts, isFull: isFull(), since });
  }

  /**
   * 1 where the place is set aside no more, or less of it is. A place that stays at fault holds up none of the others.
   * A provider's fault may be that of one block for long; two of them, one after the other, are an outage.
   */
  private async count(id: string, retry: () => Promise<boolean>): Promise<number> {
    const { mode, network, log } = this.parts;
    try {
      const isFurther = await retry();
      if (this.fault !== null) this.interruptions.tell(this.fault, { mode, network });
      this.fault = null;
      return isFurther ? 1 : 0;
    } catch (error) {
      if (outageOf(error) === 'provider' && this.fault === null) {
        this.fault = error as Error;
        return 0;
      }
      if (outageOf(error) !== null) throw error;
      log.warn({ mode, id, err: error }, 'it stays set aside');
      return 0;
    }
  }

  private async retryHole(hole: Hole): Promise<boolean> {
    const { id, body } = hole;
    const { setAside, sightings } = this.parts;
    const standing = await this.standingOf(body);
    if (standing.step === 'read_pieces') return this.longHoles.retry(hole);
    if (standing.step === 'drop') await setAside.endHole(id, 'drop', body.block_number, body.to_number);
    if (standing.step !== 'read') return standing.step === 'drop';
    const { block } = standing;
    const isReached = this.parts.hasScannedBelow(block.number);
    let isWhole = true;
    for (const token of this.parts.tokens) {
      const reading = await this.read(block, token);
      if (reading === null) return false;
      const { transfers, unread } = reading;
      if (unread.length > 0) isWhole = false;
      const seenAtMs = parseIsoTime(body.seen_at);
      for (const transfer of transfers)
        await sightings.observe({ token, transfer, block, seenAtMs, isProvisional: false, isReached });
    }
    if (isWhole) await setAside.endHole(id, 'read', body.block_number, body.to_number);
    return isWhole;
  }

  /** Null where another block stood at the height of a range of one block: its reading says nothing of the hole. */
  private async read({ number, hash }: BlockHeader, token: Token): Promise<BlockReading | null> {
    const { mode, policy, chain, recipients } = this.parts;
    const [contract, watched] = [token.contract[mode], await recipients()];
    if (policy.holesBy === 'hash') return nullWhereUnanswered(chain.transfersInBlock(hash, contract, watched));
    const reading = await chain.transfersInRange(number, number, contract, watched);
    return reading.endHash === hash ? reading : null;
  }

  private async retryTransfer({ id, body }: Deferred): Promise<boolean> {
    const { setAside, sightings } = this.parts;
    const standing = await this.standingOf({ ...body, to_number: body.block_number });
    if (standing.step === 'drop') await setAside.endDeferral(id, 'drop');
    if (standing.step !== 'read') return standing.step === 'drop';
    const { block } = standing;
    const token = TOKENS[body.token_id];
    const transfer = {
      txHash: body.tx_hash,
      ordinal: body.ordinal,
      contract: token.contract[this.parts.mode],
      from: body.from,
      to: body.to,
      valueBaseUnits: BigInt(body.value_base_units),
      blockNumber: body.block_number,
      blockHash: body.block_hash,
    };
    const seenAtMs = parseIsoTime(body.seen_at);
    const isReached = this.parts.hasScannedBelow(block.number);
    await sightings.place({ token, transfer, block, seenAtMs, isProvisional: false, isReached });
    await setAside.endDeferral(id, 'finish');
    return true;
  }

  /** Asks the plan's questions, and answers the plan's outcome. */
  private async standingOf(place: SetAsidePlace): Promise<Standing> {
    const { chain, instance } = this.parts;
    const cursor = this.parts.cursor();
    let block: BlockHeader | null = null;
    let answers: RetryAnswers = {};
    for (;;) {
      const step = planRetry(place, instance, cursor, answers);
      switch (step) {
        case 'ask_block':
          block = await nullWhereUnanswered(chain.agreedBlock(place.block_number));
          answers = { block: block?.hash ?? null };
          break;
        case 'ask_cursor':
          answers = { ...answers, cursor: cursor && (await chain.agreedHash(cursor.number)) };
          break;
        case 'ask_block_again':
          answers = { ...answers, blockAgain: await chain.agreedHash(place.block_number) };
          break;
        case 'leave':
        case 'drop':
        case 'read_pieces':
          return { step };
        case 'read':
          invariant(block !== null, 'a block that stands was told');
          return { step, block };
        default:
          return unreachable(step);
      }
    }
  }
}
