import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { parseIsoTime } from '../../kernel/clock';
import { streamName, type Actor, type RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { EventStore } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import { claimRefusal } from '../../modules/payment-intents/payment-intent.claimable';
import type { PaymentIntentEvent } from '../../modules/payment-intents/payment-intent.events';
import { isRejected, needsDecision } from '../../modules/payment-intents/payment-intent.review';
import type { ExistingPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import type { PaymentIntentDocument } from '../../modules/payment-intents/payment-intents.read-model';
import { jsonChanges } from '../../kernel/json-changes';
import {
  GetPaymentTimeline,
  type EventEntry,
  type Moment,
  type PaymentSteps,
  type PaymentTimeline,
  type TimelineActor,
  type TimelineEntry,
} from '../../modules/payment-intents/queries/get-payment-timeline.query';
import { paymentNamings } from '../../modules/payment-intents/queries/payment-namings';
import { evidenceOf, knownAfter, type KnownFacts } from '../../modules/payment-intents/queries/payment-evidence';
import { changesOf } from '../../modules/payment-intents/queries/payment-history';
import type { PaymentIntentResource } from '../../modules/payment-intents/queries/payment-intent.answer';
import { presentPaymentIntent } from '../../modules/payment-intents/queries/payment-intent.presenter';
import { inferencesOf } from './inference-grounds';
import { webhookEntries } from './webhook-entries';

/** Events shown on either side of the moment: a payment with a hundred transfers has several hundred. */
export const EVENTS_BESIDE = 60;

type TimelineParts = {
  readonly readModels: ReadModels;
  readonly store: EventStore;
  readonly headNumber: (mode: Mode, network: NetworkId) => Promise<number | null>;
  /** The payment's document after each event of its history. */
  readonly documentsAfter: (history: readonly RecordedEvent[]) => readonly PaymentIntentDocument[];
  readonly checkoutUrl: string;
};

type Reader = GetPaymentTimeline['reader'];
type Shown = { readonly from: number; readonly to: number; readonly moment: number };

/** Payments as their merchants look into them. */
export class PaymentTimelines {
  constructor(private readonly parts: TimelineParts) {}

  async of({ paymentIntent: id, reader, moment }: GetPaymentTimeline): Promise<PaymentTimeline> {
    const { mode, merchantId } = reader;
    const history = isId('pi', id)
      ? await this.parts.store.readStream(streamName(mode, 'payment_intent', id))
      : ([] as const);
    if (history[0]?.metadata.merchant_id !== merchantId) throw refuse('payment_not_found');
    const documents = this.parts.documentsAfter(history);
    const revision = revisionOf(history, moment);
    const shown = {
      from: Math.max(0, revision - EVENTS_BESIDE),
      to: Math.min(history.length, revision + 1 + EVENTS_BESIDE),
      moment: revision,
    };
    const at = occurredAt(history[revision]);
    const events = await this.eventEntries({ id, mode }, history, documents, shown);
    const webhooks = await webhookEntries(this.parts.readModels, { id, merchantId, mode, history, at });
    const first = events[0]?.at ?? '';
    const newest = documents.at(-1);
    invariant(newest, `${id} has no document`);
    return {
      now: await this.newest(id, newest, reader),
      steps: stepsOf(newest.state),
      asOf: {
        revision,
        at,
        isNewest: revision === history.length - 1,
        isRejected: isRejected(documentAt(id, documents, revision).state),
        payment: this.answerAt(id, history, documents, revision),
      },
      revisions: history.length,
      earlier: shown.from,
      later: history.length - shown.to,
      entries: inOrder([...events, ...webhooks.filter(entry => shown.from === 0 || entry.at >= first)]),
    };
  }

  private async newest(
    id: string,
    document: PaymentIntentDocument,
    { mode, nowMs }: Reader,
  ): Promise<PaymentIntentResource> {
    const { readModels, checkoutUrl } = this.parts;
    const headNumber = document.network_id && (await this.parts.headNumber(mode, document.network_id));
    const claims = await paymentNamings(readModels, mode, id, document);
    const payment = presentPaymentIntent(id, document, { checkoutUrl, headNumber, nowMs, claims });
    return { ...payment, transfers: payment.transfers.map(untilDeepEnough) };
  }

  /** Without a head and without namings, the answer follows from the events alone. */
  private answerAt(
    id: string,
    history: readonly RecordedEvent[],
    documents: readonly PaymentIntentDocument[],
    revision: number,
  ): PaymentIntentResource {
    const document = documentAt(id, documents, revision);
    const nowMs = parseIsoTime(occurredAt(history[revision]));
    const { checkoutUrl } = this.parts;
    return presentPaymentIntent(id, document, { checkoutUrl, headNumber: null, nowMs, claims: null });
  }

  private async eventEntries(
    { id, mode }: { readonly id: string; readonly mode: Mode },
    history: readonly RecordedEvent[],
    documents: readonly PaymentIntentDocument[],
    { from, to, moment }: Shown,
  ): Promise<readonly EventEntry[]> {
    const events = history as readonly RecordedEvent<PaymentIntentEvent>[];
    const types = changesOf(events);
    const inferences = await inferencesOf(this.parts.store, mode, id, events);
    let known: KnownFacts = { terms: null, quote: null, transfers: new Map(), inferences };
    const entries: EventEntry[] = [];
    for (const [revision, event] of events.slice(0, to).entries()) {
      const type = types[revision]?.type;
      if (revision >= from && type !== undefined) {
        const before = revision === 0 ? null : this.answerAt(id, history, documents, revision - 1);
        entries.push({
          kind: 'event',
          revision,
          type,
          at: occurredAt(event),
          actor: actorOf(event.metadata.actor),
          isLater: revision > moment,
          facts: evidenceOf(event, known),
          changes: jsonChanges(before, this.answerAt(id, history, documents, revision)),
        });
      }
      known = knownAfter(event, known);
    }
    return entries;
  }
}

function documentAt(id: string, documents: readonly PaymentIntentDocument[], revision: number): PaymentIntentDocument {
  const document = documents[revision];
  invariant(document, `${id} has no document of revision ${revision}`);
  return document;
}

/** Throws Refusal parameter_invalid for a moment at which there was no payment. */
function revisionOf(history: readonly RecordedEvent[], moment: Moment | null): number {
  const newest = history.length - 1;
  if (moment === null) return newest;
  const asked =
    'revision' in moment ? moment.revision : history.findLastIndex(event => occurredAt(event) <= moment.time);
  if (Number.isInteger(asked) && asked >= 0 && asked <= newest) return asked;
  throw refuse('parameter_invalid', { param: 'as_of', message: 'There was no such payment at that moment.' });
}

function stepsOf(state: ExistingPaymentIntent): PaymentSteps {
  return { decides: needsDecision(state), takesTransfer: claimRefusal(state) === null };
}

/** Each further block would have all open pages look anew. */
function untilDeepEnough(transfer: PaymentIntentResource['transfers'][number]) {
  const { confirmations, required_confirmations: required } = transfer;
  return { ...transfer, confirmations: Math.min(confirmations, required) };
}

function actorOf({ role, type, id }: Actor): TimelineActor {
  return { role, type, id: type === 'user' || type === 'api_key' ? id : null };
}

function occurredAt(event: RecordedEvent | undefined): string {
  invariant(event, 'a moment of a payment has no event');
  return event.metadata.occurred_at;
}

const KINDS = ['event', 'webhook', 'attempt'] as const;

/** By their times. An event comes before the webhooks of the same moment. */
function inOrder(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const place = ({ kind }: TimelineEntry): number => KINDS.indexOf(kind);
  return entries.toSorted((one, other) => {
    if (one.kind === 'event' && other.kind === 'event') return one.revision - other.revision;
    return one.at === other.at ? place(one) - place(other) : one.at < other.at ? -1 : 1;
  });
}

@QueryHandler(GetPaymentTimeline)
export class GetPaymentTimelineHandler implements IQueryHandler<GetPaymentTimeline> {
  constructor(private readonly timelines: PaymentTimelines) {}

  execute(query: GetPaymentTimeline): Promise<PaymentTimeline> {
    return this.timelines.of(query);
  }
}
