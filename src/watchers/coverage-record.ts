import { isoTime, MINUTE_MS, parseIsoTime, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { BlockHeader } from '../kernel/ports/chain';
import type { Collection, CollectionSpec } from '../kernel/ports/documents';
import type { Log } from '../kernel/ports/log';
import type { SystemCommands } from '../kernel/system-commands';
import type { NetworkId } from '../vocabulary/networks';
import { findGaps, type CoverageGap } from '../modules/coverage/coverage-gaps';
import { CoverageHistory, type CoverageMark } from './coverage-history';
import type { SetAside } from './set-aside';

/** The coverage of a network of a mode: every block up to `number` for good, and up to the head as the chain stands. */
export type CoverageDocument = {
  readonly instance: string;
  readonly number: number;
  readonly hash: string;
  readonly sealed_to: number;
  readonly sealed_hash: string;
  readonly sealed_at: string;
  readonly head_number: number;
  /** The wall's moment at which a provider first told of that head. */
  readonly head_told_at: string;
  /** Time of the newest block that was scanned, or in live mode agreed on: deadlines before it have been covered. */
  readonly covered_until: string;
  /**
   * The wall's moment at which that block was first seen as the head. A local chain makes its block times up, so
   * deadlines before this moment have been covered there.
   */
  readonly head_seen_at: string;
  /** No more places could be set aside, so the scan stands still. */
  readonly is_waiting: boolean;
};

export type Cursor = Pick<CoverageDocument, 'number' | 'hash'>;

export const COVERAGE_COLLECTION: CollectionSpec = { name: 'coverage', indexes: {} };

/**
 * A chain without a new block for so long is either halted or not watched any more. Such a chain takes no new quotes.
 * The slowest chain makes a block every 3 seconds.
 */
const LAG_ALARM_MS = 5 * MINUTE_MS;

/** Whether a network with this newest covered moment counts as `behind`: for readiness, mails, quotes and the CLI. */
export function isTooOld(coveredUntilMs: number, nowMs: number): boolean {
  return nowMs - coveredUntilMs > LAG_ALARM_MS;
}

const SEAL_EVERY_BLOCKS = 1_000;
const SEAL_EVERY_MS = 10 * MINUTE_MS;

export function coverageId(mode: Mode, network: NetworkId): string {
  return `${mode}:${network}`;
}

type CoverageRecordParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  /** The chain id, or a local chain's genesis hash: coverage of another chain says nothing of this one. */
  readonly instance: string;
  /** The hosts of the providers. */
  readonly providers: readonly string[];
  readonly documents: Collection<CoverageDocument>;
  readonly commands: SystemCommands;
  readonly setAside: Pick<SetAside, 'ownHoles' | 'restore'>;
  readonly clock: Clock;
  readonly log: Log;
};

export type Progress = {
  /** The blocks up to this one are scanned for good. */
  readonly agreed: BlockHeader;
  /**
   * The blocks up to this one are scanned as surely as a deadline asks for: for good in live mode, else up to the head.
   */
  readonly scanned: BlockHeader;
  readonly head: BlockHeader;
  readonly headerAt: (height: number) => Promise<BlockHeader>;
  /** The wall's moment just before the head was asked for; absent while the scan has not come to the head. */
  readonly seenAtMs?: number;
};

/** The cursor and the sealed ranges of one network: a document while a range grows, an event when it is sealed. */
export class CoverageRecord {
  private current: CoverageDocument | null = null;
  private version = 0;
  private knownUntilMs: number | null = null;
  private readonly history: CoverageHistory;

  constructor(private readonly parts: CoverageRecordParts) {
    const { mode, network, instance, commands } = parts;
    this.history = new CoverageHistory(mode, network, instance, commands.of('coverage'));
  }

  /**
   * The block at which scanning goes on; `start` gives the block before the first one where the chain was never
   * watched. The log decides: a document that is lost, or differs from the log, would leave blocks out.
   */
  async cursor(start: () => Promise<BlockHeader>): Promise<Cursor> {
    if (this.current) return this.current;
    const { mode, network, instance, documents, log } = this.parts;
    const stored = await documents.get(coverageId(mode, network));
    this.version = stored?.version ?? 0;
    const begun = await this.history.start();
    if (!begun) {
      const first = await start();
      await this.history.begin(first);
      return this.save(this.from({ number: first.number, hash: first.hash, time: isoTime(first.timeMs) }));
    }
    const newest = await this.history.newest(begun);
    const own = stored?.body.instance === instance ? stored.body : null;
    if (own?.sealed_to === newest.number) {
      this.current = own;
      return own;
    }
    if (own && own.sealed_to > newest.number)
      log.error(
        { mode, network, sealed_to: newest.number, lost_to: own.sealed_to },
        'sealed coverage is missing: its blocks are scanned again',
      );
    // The range was sealed by a process that could not write the cursor any more: a cursor beyond it stands.
    if (own && own.sealed_to < newest.number && own.number >= newest.number)
      return this.save({ ...own, sealed_to: newest.number, sealed_hash: newest.hash, sealed_at: newest.time });
    // A loss of this document may have taken the documents of the places that are set aside as well.
    await this.parts.setAside.restore();
    return this.save(this.from(newest));
  }

  /** The next cursor is read anew, since another process may have moved it. */
  forget(): void {
    this.knownUntilMs = this.coveredUntil;
    this.current = null;
  }

  /** The cursor never runs back: a block below it changes nothing. */
  async advance({ agreed, scanned, head, headerAt, seenAtMs }: Progress): Promise<void> {
    const current = this.loaded();
    if (agreed.number <= current.number) return this.note(scanned, head, seenAtMs);
    const moved = {
      ...current,
      number: agreed.number,
      hash: agreed.hash,
      ...this.headFacts(current, scanned, head, seenAtMs),
    };
    const isDue =
      agreed.number - current.sealed_to >= SEAL_EVERY_BLOCKS ||
      this.parts.clock.now() - parseIsoTime(current.sealed_at) >= SEAL_EVERY_MS;
    if (!isDue) return void (await this.save(moved));
    const sealed = { number: current.sealed_to, hash: current.sealed_hash };
    const { providers } = this.parts;
    await this.history.seal(sealed, agreed, { providers, headerAt });
    const sealedAt = isoTime(this.parts.clock.now());
    await this.save({ ...moved, sealed_to: agreed.number, sealed_hash: agreed.hash, sealed_at: sealedAt });
  }

  /**
   * The open end was scanned up to `scanned`, null for no further than deadlines are covered. No further block is
   * agreed on.
   */
  async note(scanned: BlockHeader | null, head: BlockHeader, seenAtMs?: number): Promise<void> {
    const current = this.loaded();
    const noted = { ...current, ...this.headFacts(current, scanned, head, seenAtMs) };
    if (noted.head_number !== current.head_number || noted.covered_until !== current.covered_until)
      await this.save(noted);
  }

  /** Whether the scan stands still, since nothing more can be set aside: other processes read it here. */
  async noteWaiting(isWaiting: boolean): Promise<void> {
    const current = this.loaded();
    if (current.is_waiting !== isWaiting) await this.save({ ...current, is_waiting: isWaiting });
  }

  /**
   * Recorded marks, the newest first. A chain that was reorganised below the cursor finds its last standing block among
   * them.
   */
  marks(): Promise<readonly CoverageMark[]> {
    return this.history.marks(this.loaded().sealed_to);
  }

  /** The blocks after `after` up to the cursor have been replaced by a reorganisation, and scanned again. */
  async replaced(after: number, headerAt: Progress['headerAt']): Promise<Cursor> {
    const current = this.loaded();
    const { hash } = await headerAt(current.number);
    if (after >= current.sealed_to) return this.save({ ...current, hash });
    const sealed = await headerAt(current.sealed_to);
    const { providers } = this.parts;
    await this.history.replace(after + 1, sealed, { providers, headerAt });
    return this.save({ ...current, hash, sealed_hash: sealed.hash });
  }

  /** Reads the chain's earlier coverage: the cursor waits for providers, and the lag must be known without them. */
  async look(): Promise<void> {
    const stored = await this.parts.documents.get(coverageId(this.parts.mode, this.parts.network));
    if (stored?.body.instance === this.instance) this.knownUntilMs = parseIsoTime(stored.body.covered_until);
  }

  /** Milliseconds, as last read or written; null while neither has happened. */
  get coveredUntil(): number | null {
    return this.current ? parseIsoTime(this.current.covered_until) : this.knownUntilMs;
  }

  get instance(): string {
    return this.parts.instance;
  }

  /** Null before the cursor was read. */
  get position(): CoverageDocument | null {
    return this.current;
  }

  async gaps(): Promise<readonly CoverageGap[]> {
    const { sealed_to } = this.loaded();
    const holes = await this.parts.setAside.ownHoles();
    const unread = holes.map(({ body: { block_number, to_number } }) => ({ from_number: block_number, to_number }));
    return findGaps(await this.history.events(sealed_to), sealed_to, unread);
  }

  private loaded(): CoverageDocument {
    if (!this.current) throw new Error('coverage is used before its cursor was read');
    return this.current;
  }

  private from({ number, hash, time }: CoverageMark): CoverageDocument {
    return {
      instance: this.parts.instance,
      number,
      hash,
      sealed_to: number,
      sealed_hash: hash,
      sealed_at: isoTime(this.parts.clock.now()),
      head_number: number,
      head_told_at: isoTime(this.parts.clock.now()),
      covered_until: time,
      head_seen_at: time,
      is_waiting: false,
    };
  }

  /** The version refuses a watcher that lost its lease and wakes up. */
  private async save(body: CoverageDocument): Promise<CoverageDocument> {
    const id = coverageId(this.parts.mode, this.parts.network);
    this.knownUntilMs = this.coveredUntil;
    // Until the write is known to be done, the document is read anew: the next one must not be made from an older one.
    this.current = null;
    const version = this.version + 1;
    const isWritten = await this.parts.documents.putNewer({ id, version, body });
    if (!isWritten) throw new Error(`${id}: another watcher has advanced the coverage`);
    this.version = version;
    this.current = body;
    return body;
  }

  private headFacts(
    { head_number, head_told_at, covered_until, head_seen_at }: CoverageDocument,
    scanned: BlockHeader | null,
    head: BlockHeader,
    seenAtMs: number | undefined,
  ): Pick<CoverageDocument, 'head_number' | 'head_told_at' | 'covered_until' | 'head_seen_at'> {
    const facts = { head_number: head.number, covered_until: scanned ? isoTime(scanned.timeMs) : covered_until };
    const isNewHead = facts.head_number !== head_number;
    const isNew = isNewHead || facts.covered_until !== covered_until;
    return {
      ...facts,
      head_told_at: isNewHead ? isoTime(this.parts.clock.now()) : head_told_at,
      head_seen_at: isNew && seenAtMs !== undefined ? isoTime(seenAtMs) : head_seen_at,
    };
  }
}
