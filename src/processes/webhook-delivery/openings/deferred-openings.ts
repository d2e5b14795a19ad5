import { SECOND_MS } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import { streamName } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import { invariant } from '../../../kernel/invariant';
import { outageOf } from '../../../kernel/outage';
import type { Document } from '../../../kernel/ports/documents';
import type { Log } from '../../../kernel/ports/log';
import type { SystemCommands } from '../../../kernel/system-commands';
import type { WritePath } from '../../../kernel/write-path';
import { deferredWebhooks } from '../../../modules/webhooks/deferred-webhook.decider';
import {
  deferredWebhooksReadModel,
  type DeferredWebhookDocument,
} from '../../../modules/webhooks/deferred-webhooks.read-model';
import { webhookEventId } from '../../../modules/webhooks/webhook-event';
import { DeliveryPauses } from '../dispatch/delivery-pauses';
import type { Telling, WebhookOpenings, WebhookOpeningsParts } from './webhook-openings';

/** Events of one merchant that are opened in one turn. */
const EVENTS_A_TURN = 4;
/** Deferred events of the merchant among which a turn looks for its own. */
const PAGE = 32;
/** Pages of events that were all put off which a turn passes over. */
const PAGES_A_TURN = 8;
const POLL_MS = SECOND_MS / 2;
/** This text sorts behind every id. */
const BEHIND_ALL = '~';

type DeferredWebhook = Document<DeferredWebhookDocument>;

export type DeferredOpeningsParts = WebhookOpeningsParts & {
  readonly modes: readonly Mode[];
  readonly openings: WebhookOpenings;
  readonly writes: WritePath;
  readonly entropy: Entropy;
  /** No other process takes turns among these documents. */
  readonly alone?: boolean;
  readonly log: Log;
};

/**
 * Opens the deliveries of events that were deferred: merchants in turn, some events each, and each mode by itself. The
 * turns go along the index of the read model, so a restart forgets nothing. A merchant waits for one turn of each other
 * merchant, however many events those have.
 */
export class DeferredOpenings {
  private readonly faultPauses = new DeliveryPauses();
  /** Ends the pause of a mode's loop. */
  private readonly pauses = new Map<Mode, AbortController>();

  private readonly commands: SystemCommands;

  constructor(private readonly parts: DeferredOpeningsParts) {
    this.commands = parts.commands.of('webhooks');
  }

  async add({ mode, source, facts }: Telling): Promise<void> {
    const merchantId = source.metadata.merchant_id;
    await this.commands.execute(
      deferredWebhooks,
      webhookEventId(source),
      () => ({ command: { type: 'defer', facts } as const, actor: 'sweeper', merchantId }),
      { mode, cause: source },
    );
    this.pauses.get(mode)?.abort();
  }

  /** Resolves when `signal` aborts, and the turns under way have ended. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.parts.modes.map(mode => this.loop(mode, signal)));
  }

  private async loop(mode: Mode, signal: AbortSignal): Promise<void> {
    const { clock } = this.parts;
    while (!signal.aborted) {
      const pause = new AbortController();
      const end = (): void => pause.abort();
      signal.addEventListener('abort', end);
      this.pauses.set(mode, pause);
      const isOut = !(await this.roundSafely(mode, signal));
      if (isOut) await clock.wait(POLL_MS, signal);
      else await clock.wait(POLL_MS, pause.signal);
      signal.removeEventListener('abort', end);
    }
  }

  /** False where a round broke off. */
  private async roundSafely(mode: Mode, signal: AbortSignal): Promise<boolean> {
    try {
      while (!signal.aborted && (await this.round(mode, signal)));
      return true;
    } catch (error) {
      this.parts.log.warn({ mode, err: error }, 'deferred webhooks could not be opened');
      return false;
    }
  }

  /** A turn for each merchant that waits. True where an event was opened: then others may wait. */
  private async round(mode: Mode, signal: AbortSignal): Promise<boolean> {
    let isOpened = false;
    for (let merchantId = await this.merchantAfter(mode, null); merchantId !== null && !signal.aborted;) {
      isOpened = (await this.turn(mode, merchantId)) || isOpened;
      merchantId = await this.merchantAfter(mode, merchantId);
    }
    return isOpened;
  }

  private async merchantAfter(mode: Mode, merchantId: string | null): Promise<string | null> {
    const after = merchantId === null ? {} : { after: { merchant_id: merchantId, id: BEHIND_ALL } };
    const [next] = await this.list({ equals: { mode }, ...after, limit: 1 });
    return next?.body.merchant_id ?? null;
  }

  private async turn(mode: Mode, merchantId: string): Promise<boolean> {
    const events = await this.eventsOf(mode, merchantId);
    const opened = await Promise.all(events.map(event => this.open(mode, event)));
    return opened.includes(true);
  }

  /**
   * The oldest events that are not put off. Processes side by side begin at different ones, so that they seldom open
   * the same.
   */
  private async eventsOf(mode: Mode, merchantId: string): Promise<readonly DeferredWebhook[]> {
    const { clock, alone = false, entropy } = this.parts;
    const bound = { equals: { mode, merchant_id: merchantId }, limit: PAGE };
    let last: DeferredWebhook | undefined;
    for (let pages = 0; pages < PAGES_A_TURN; pages++) {
      const page = await this.list({ ...bound, ...(last && { after: { id: last.id } }) });
      const ready = page.filter(({ id }) => !this.faultPauses.has(id, clock.now()));
      const spare = Math.max(0, ready.length - EVENTS_A_TURN);
      const first = alone || spare === 0 ? 0 : (entropy.bytes(1)[0] ?? 0) % (spare + 1);
      last = page.at(-1);
      if (ready.length > 0 || page.length < PAGE) return ready.slice(first, first + EVENTS_A_TURN);
    }
    return [];
  }

  /** A fault of one event puts that one off; where a store is away, all wait. */
  private async open(mode: Mode, deferred: DeferredWebhook): Promise<boolean> {
    const { clock, log } = this.parts;
    try {
      await this.openAll(mode, deferred);
      this.faultPauses.forget(deferred.id);
      return true;
    } catch (error) {
      if (outageOf(error) === 'engine') throw error;
      const pauseMs = this.faultPauses.add(deferred.id, clock.now());
      log.error({ event: deferred.id, retry_in_ms: pauseMs, err: error }, 'a deferred webhook failed by a fault');
      return false;
    }
  }

  private async openAll(mode: Mode, { id, body }: DeferredWebhook): Promise<void> {
    const { store, writes, openings } = this.parts;
    const { event_type, payment_intent, payment_revision, created } = body;
    const stream = streamName(mode, 'payment_intent', payment_intent);
    const [source] = await store.readStream(stream, { from: payment_revision, limit: 1 });
    invariant(source, `${stream} has no event ${payment_revision}, and ${id} tells of it`);
    const { merchant_id: merchantId } = source.metadata;
    const facts = { event_type, payment_intent, payment_revision, created };
    await openings.open({ mode, source, facts }, await openings.endpoints.of(mode, merchantId));
    const { events } = await this.commands.execute(
      deferredWebhooks,
      id,
      () => ({ command: { type: 'finish' } as const, actor: 'sweeper', merchantId }),
      { mode, cause: source },
    );
    // The list was behind the stream: without this, it would name the event for ever.
    if (events.length === 0) await writes.renewMirrors(deferredWebhooks, mode, id);
  }

  private list(query: Omit<Parameters<WebhookOpeningsParts['readModels']['list']>[1], 'index'>) {
    return this.parts.readModels.list(deferredWebhooksReadModel, { ...query, index: 'by_merchant' });
  }
}
