import { SECOND_MS } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import { parseStreamName, type RecordedEvent } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import type { MerchantClocks } from '../../../kernel/merchant-clocks';
import type { Documents } from '../../../kernel/ports/documents';
import type { GroupMessage } from '../../../kernel/ports/event-store';
import type { Log } from '../../../kernel/ports/log';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { WritePath } from '../../../kernel/write-path';
import type { WebhookDeliveryEvent } from '../../../modules/webhooks/webhook-delivery.events';
import type { WebhookDelivery } from '../webhook-delivery';
import { DueList } from './due-list';
import { EndpointLeases } from './endpoint-leases';
import { ModeDispatch, type Rung } from './mode-dispatch';

/** Attempts under way at once in this process. Each mode has its own: test mode never holds up live. */
const PLACES: Readonly<Record<Mode, number>> = { live: 128, test: 128 };

const POLL_MS = SECOND_MS / 2;
/** The pause between two looks where the first has left something. */
const BREATH_MS = 1;
const DRAINING_POLL_MS = 25;
/** `drain` waits so long for receivers; the rest follows by itself. */
const LONGEST_DRAINING_MS = 10 * SECOND_MS;

const RINGING: readonly WebhookDeliveryEvent['type'][] = ['DeliveryScheduled', 'RedeliveryRequested'];

type DispatcherParts = {
  readonly modes: readonly Mode[];
  readonly delivery: Pick<WebhookDelivery, 'attempt'>;
  readonly documents: Documents;
  /** No other process reaches these documents. */
  readonly alone?: boolean;
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly log: Log;
};

type ModeParts = { readonly list: DueList; readonly dispatch: ModeDispatch };

/**
 * Sends the deliveries that are due: first attempts, retries, and redeliveries. The read model of due deliveries is its
 * only source, so after a crash the next process goes on at the same place. A ring spares it the wait for its next
 * look.
 */
export class Dispatcher {
  private readonly byMode: ReadonlyMap<Mode, ModeParts>;
  private answersRings = false;

  constructor(private readonly parts: DispatcherParts) {
    const { modes, documents, clock, entropy, alone } = parts;
    const leases = new EndpointLeases(documents, clock, entropy, alone);
    this.byMode = new Map(
      modes.map(mode => {
        const list = new DueList(mode, parts);
        return [mode, { list, dispatch: new ModeDispatch({ ...parts, mode, places: PLACES[mode], list, leases }) }];
      }),
    );
  }

  /**
   * Group `deliveries`, category `webhook_delivery`: every delivery that a message names stands in the list, so no
   * message waits for the attempt.
   */
  handle({ event }: GroupMessage): Promise<void> {
    this.ring(event);
    return Promise.resolve();
  }

  /** Hears of a delivery's newest event. A process that sends nothing takes no notice. */
  ring({ type, stream, metadata }: RecordedEvent): void {
    if (!this.answersRings || !(RINGING as readonly string[]).includes(type)) return;
    const { universe, id } = parseStreamName(stream);
    if (universe === 'platform') return;
    this.offer(universe, { deliveryId: id, merchantId: metadata.merchant_id ?? '' });
  }

  /** From here on this process sends the deliveries that a ring names; `run` looks for due ones as well. */
  answerRings(): void {
    this.answersRings = true;
  }

  /** Resolves when `signal` aborts, and the attempts under way have ended. */
  async run(signal: AbortSignal): Promise<void> {
    this.answerRings();
    await Promise.all([...this.byMode].map(([mode, { dispatch }]) => this.loop(mode, dispatch, signal)));
  }

  /**
   * Resolves once nothing is due by the clock of a merchant of test mode, whichever process sends it, or after ten
   * seconds.
   */
  async drain(merchantId: string): Promise<void> {
    const parts = this.byMode.get('test');
    if (!parts) return;
    for (let waitedMs = 0; waitedMs < LONGEST_DRAINING_MS; waitedMs += DRAINING_POLL_MS) {
      const due = await parts.list.ofClock(merchantId);
      const waiting = due.filter(({ id }) => !parts.dispatch.isPaused(id));
      if (waiting.length === 0) return;
      if (this.answersRings) for (const { id } of waiting) parts.dispatch.offer({ deliveryId: id, merchantId }, false);
      await this.parts.clock.wait(DRAINING_POLL_MS);
    }
  }

  private offer(mode: Mode, rung: Rung): void {
    this.byMode.get(mode)?.dispatch.offer(rung, true);
  }

  private async loop(mode: Mode, dispatch: ModeDispatch, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isMore = await this.lookSafely(mode, dispatch);
      await this.parts.clock.wait(isMore ? BREATH_MS : POLL_MS, signal);
    }
    await dispatch.stop();
  }

  private async lookSafely(mode: Mode, dispatch: ModeDispatch): Promise<boolean> {
    try {
      return await dispatch.look();
    } catch (error) {
      this.parts.log.warn({ mode, err: error }, 'the list of due webhooks could not be read');
      return false;
    }
  }
}
