import { BoundedMap } from '../../kernel/bounded-map';
import { DAY_MS, isoTime, MINUTE_MS, SECOND_MS, type Clock } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import { everyDocument } from '../../kernel/every-document';
import { Interruptions } from '../../kernel/interruptions';
import { outageOf } from '../../kernel/outage';
import type { Document } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../vocabulary/networks';
import {
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../../modules/transfers/unmatched-transfers.read-model';
import type { TransferClaims } from './transfer-claims';

const POLL_MS = 10 * SECOND_MS;
const PAGE = 200;
/** Transfers of one round about which the chain is asked, each by two questions at most. */
const MOST_ASKED = 20;
/** Transfers that one round reads. */
const MOST_READ = 1_000;
/** After so many failures in a row the providers count as away; fewer may be the blocks' own faults. */
const MOST_OUTAGES = 3;
/** The service looks for a transfer that left its block for so long: longer than any outage of providers. */
const LOOKED_FOR_MS = 7 * DAY_MS;
/** The pause after a look without an answer. */
const RETRY_MS = 15 * SECOND_MS;
/** The pause after the first answered look; each further one doubles it, to a day at most. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS;
const MOST_REMEMBERED = 10_000;

/** `answeredMs`: the pause after the last answered look; 0 before the first. */
type Pause = { readonly untilMs: number; readonly answeredMs: number };
type Row = Document<UnmatchedTransferDocument>;

type ReturnedTransfersParts = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly readModels: ReadModels;
  readonly claims: Pick<TransferClaims, 'observe'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Looks for transfers that left their block. Such a transfer may stand on the chain with other facts. The scan may have
 * seen these before the replaced block was recorded. The group `matching` looks at once, but its messages wait for no
 * provider. So a transfer is found here if the group could not look at it while the providers were away.
 */
export class ReturnedTransfers {
  /** The round's place in the list of such transfers; null between two passes. */
  private reading: AsyncGenerator<Row> | null = null;
  /** The next look at each, by transfer and the block that it left. */
  private readonly pauses = new BoundedMap<string, Pause>(MOST_REMEMBERED);
  private readonly interruptions: Interruptions;

  constructor(private readonly parts: ReturnedTransfersParts) {
    this.interruptions = new Interruptions(parts.clock, parts.log, 'returned transfers could not be looked for');
  }

  /** Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, mode, network } = this.parts;
    while (!signal.aborted) {
      try {
        await this.round();
      } catch (error) {
        this.reading = null;
        this.interruptions.tell(error, { mode, network });
      }
      await clock.wait(POLL_MS, signal);
    }
  }

  /** Goes on at the end of the round before. */
  async round(): Promise<void> {
    this.reading ??= this.begin();
    let [asked, outages] = [0, 0];
    for (let read = 0; read < MOST_READ && asked < MOST_ASKED && outages < MOST_OUTAGES; read++) {
      const next = await this.reading.next();
      if (next.done) {
        this.reading = null;
        return;
      }
      if (!this.isDue(next.value)) continue;
      asked += 1;
      outages = (await this.look(next.value)) ? 0 : outages + 1;
    }
  }

  private begin(): AsyncGenerator<Row> {
    const { mode, network, readModels, clock } = this.parts;
    const equals = { mode, network_id: network, status: 'reorged_out' };
    const range = { from: isoTime(clock.now() - LOOKED_FOR_MS) };
    const query = { index: 'by_leaving', equals, range, limit: PAGE };
    return everyDocument(readModels, unmatchedTransfersReadModel, query);
  }

  private isDue(row: Row): boolean {
    return this.parts.clock.now() >= (this.pauses.get(placeOf(row))?.untilMs ?? -Infinity);
  }

  /** False where a provider is away. */
  private async look(row: Row): Promise<boolean> {
    const { mode, network, claims } = this.parts;
    const { tx_hash: txHash, ordinal } = row.body;
    const answeredMs = this.pauses.get(placeOf(row))?.answeredMs ?? 0;
    this.remember(row, RETRY_MS, answeredMs);
    try {
      const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, 2 * answeredMs), LONGEST_PAUSE_MS);
      const isAnswered = await claims.observe({ mode, cause: null }, { network, txHash, ordinal });
      if (isAnswered) this.remember(row, pauseMs, pauseMs);
      return true;
    } catch (error) {
      if (outageOf(error) === 'engine') throw error;
      this.interruptions.tell(error, { mode, network, transfer: row.id });
      return outageOf(error) === null;
    }
  }

  private remember(row: Row, pauseMs: number, answeredMs: number): void {
    this.pauses.set(placeOf(row), { untilMs: this.parts.clock.now() + pauseMs, answeredMs });
  }
}

function placeOf({ id, body }: Row): string {
  return `${id} ${body.block_hash}`;
}
