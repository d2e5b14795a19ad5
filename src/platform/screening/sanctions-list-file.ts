import { stat } from 'node:fs/promises';
import { SECOND_MS, type Clock } from '../../kernel/clock';
import { refuse, type Refusal } from '../../vocabulary/errors';
import type { Log } from '../../kernel/ports/log';
import type { ScreenedTransfer, ScreeningVerdict } from '../../kernel/ports/screening';
import { LOCAL_LIST_NAME, LocalSanctionsList } from './local-sanctions-list';
import { indexEntries } from './sanctions-entries';
import { readListDocument } from './sanctions-list-document';
import type { ScreeningMember } from './screening-member';

export const LOOK_EVERY_MS = 10 * SECOND_MS;

type InForce = { readonly stamp: string; readonly list: LocalSanctionsList | Refusal };

/**
 * The list in a file, which is read anew when the file changes. The file is looked at only for a screening, and every
 * ten seconds at most. A file that cannot be used clears no payer, neither at the start nor after a change. Payments
 * then wait until the file is right again, and the log tells the fault.
 */
export class SanctionsListFile implements ScreeningMember {
  readonly name = LOCAL_LIST_NAME;
  private lookedAtMs: number;

  private constructor(
    private readonly path: string,
    private readonly clock: Clock,
    private readonly log: Log,
    private inForce: Promise<InForce>,
  ) {
    this.lookedAtMs = clock.now();
  }

  /** Never throws for a fault of the file. */
  static async open(path: string, clock: Clock, log: Log): Promise<SanctionsListFile> {
    const inForce = await load(path, await stampOf(path), log);
    return new SanctionsListFile(path, clock, log, Promise.resolve(inForce));
  }

  covers(): boolean {
    return true;
  }

  /**
   * Throws Refusal screening_timeout without a usable list, invalid_sanctions_address for a text that is no address of
   * the network.
   */
  async screen(transfer: ScreenedTransfer): Promise<ScreeningVerdict> {
    const nowMs = this.clock.now();
    if (nowMs - this.lookedAtMs >= LOOK_EVERY_MS) {
      this.lookedAtMs = nowMs;
      // Screenings that come meanwhile wait for this look too.
      this.inForce = this.look(this.inForce);
    }
    const { list } = await this.inForce;
    if (list instanceof LocalSanctionsList) return list.screen(transfer);
    throw refuse('screening_timeout', { message: list.message, cause: list });
  }

  private async look(before: Promise<InForce>): Promise<InForce> {
    const [known, stamp] = await Promise.all([before, stampOf(this.path)]);
    return stamp === known.stamp ? known : load(this.path, stamp, this.log);
  }
}

/** The stamp changes whenever the file does. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return 'missing';
  }
}

/** `stamp` was taken before the reading, so the next look finds a change between the two. */
async function load(path: string, stamp: string, log: Log): Promise<InForce> {
  try {
    const { entries } = await readListDocument(path);
    const list = new LocalSanctionsList(indexEntries(entries));
    log.info({ file: path, addresses: list.size }, 'sanctions list in force');
    return { stamp, list };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The sanctions list ${path} cannot be used, so no payer is cleared: ${reason}`;
    log.error({ file: path, err: cause }, 'the sanctions list cannot be used: no payment will be confirmed');
    return { stamp, list: refuse('invalid_config', { message, cause }) };
  }
}
