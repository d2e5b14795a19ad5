import { isoTime, MINUTE_MS, SECOND_MS, type Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import { Interruptions } from '../kernel/interruptions';
import { repeat } from '../kernel/jobs';
import type { Collection, CollectionSpec, Document } from '../kernel/ports/documents';
import type { Log } from '../kernel/ports/log';
import type { NetworkId } from '../vocabulary/networks';
import type { OperatorMail } from '../processes/notices/operator-mail';
import { coverageId, isTooOld } from './coverage-record';

/** `behind_since` is null while the network is read in time. All processes share it, so that each lag is told once. */
export type LagDocument = { readonly behind_since: string | null };

export const LAG_COLLECTION: CollectionSpec = { name: 'network_lags', indexes: {} };

const LOOK_EVERY_MS = 10 * SECOND_MS;
/** A network that is read in time for so long has caught up: a lag that comes and goes fills no mailbox. */
const STEADY_MS = 5 * MINUTE_MS;

type LagWatchParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  /** The moment before which the network is covered, whichever process covers it; null before any coverage. */
  readonly coveredUntil: () => Promise<number | null>;
  readonly documents: Collection<LagDocument>;
  readonly mail: Pick<OperatorMail, 'tellBehind' | 'tellCaughtUp'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Mails the operator once when a network falls behind, and once when it has caught up. Any number of processes may
 * look, since they judge by the shared coverage. The id of each mail is made from the moment that they share.
 */
export class LagWatch {
  private readonly beganMs: number;
  private steadySinceMs: number | null = null;

  constructor(private readonly parts: LagWatchParts) {
    this.beganMs = parts.clock.now();
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log, mode, network } = this.parts;
    const interruptions = new Interruptions(clock, log, 'the lag of a network could not be judged');
    const onFault = (error: unknown): void => interruptions.tell(error, { mode, network });
    await repeat(() => this.look(), { everyMs: LOOK_EVERY_MS, clock, onFault }, signal);
  }

  async look(): Promise<void> {
    const { mode, network, documents, clock } = this.parts;
    const coveredMs = await this.parts.coveredUntil();
    const standing = await documents.get(coverageId(mode, network));
    const isBehind = isTooOld(coveredMs ?? this.beganMs, clock.now());
    if (isBehind) await this.tellBehind(standing, coveredMs);
    else await this.tellCaughtUp(standing);
  }

  private async tellBehind(standing: Document<LagDocument> | null, coveredMs: number | null): Promise<void> {
    const { mode, network, mail, clock } = this.parts;
    this.steadySinceMs = null;
    const since = standing?.body.behind_since ?? isoTime(clock.now());
    // Where another process is first, its moment counts.
    if (since !== standing?.body.behind_since && !(await this.save(standing, since))) return;
    await mail.tellBehind({ mode, network, since, readUntil: coveredMs === null ? null : isoTime(coveredMs) });
  }

  private async tellCaughtUp(standing: Document<LagDocument> | null): Promise<void> {
    const { mode, network, mail, clock } = this.parts;
    const since = standing?.body.behind_since ?? null;
    if (since === null) return;
    this.steadySinceMs ??= clock.now();
    if (clock.now() - this.steadySinceMs < STEADY_MS) return;
    // The mail comes first: if the process dies between the two, the next one finds the lag told.
    await mail.tellCaughtUp({ mode, network, since });
    if (await this.save(standing, null)) this.steadySinceMs = null;
  }

  /** False where another process was first. */
  private save(standing: Document<LagDocument> | null, behindSince: string | null): Promise<boolean> {
    const { mode, network, documents } = this.parts;
    const id = coverageId(mode, network);
    const body = { behind_since: behindSince };
    if (standing === null) return documents.insert({ id, version: 1, body });
    return documents.replace({ id, version: standing.version + 1, body }, standing.version);
  }
}
