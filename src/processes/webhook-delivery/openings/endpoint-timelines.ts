import { BoundedMap } from '../../../kernel/bounded-map';
import { streamName, type RecordedEvent } from '../../../kernel/event';
import type { Mode } from '../../../vocabulary/modes';
import { laterPosition, type LogPosition } from '../../../kernel/log-position';
import { START_OF_LOG, type EventStore } from '../../../kernel/ports/event-store';
import { webhookEndpoints, type WebhookEndpoint } from '../../../modules/webhooks/webhook-endpoint.decider';
import type { WebhookEndpointEvent } from '../../../modules/webhooks/webhook-endpoint.events';

/** Steps of all timelines that a process keeps at hand; the others are read again. */
const STEPS_KEPT = 50_000;

/** An endpoint's wishes from an event of its stream on. */
type Step = {
  readonly position: number;
  readonly isEnabled: boolean;
  readonly enabledEvents: readonly string[];
};

type Timeline = {
  readonly state: WebhookEndpoint;
  readonly revision: number;
  readonly steps: readonly Step[];
  /** The stream was read when the log stood at this event, or further on. */
  readonly asOf: LogPosition;
};

const UNREAD: Timeline = { state: webhookEndpoints.initial, revision: -1, steps: [], asOf: START_OF_LOG };

/**
 * The wishes of endpoints as an event arose, by the order of the log: clocks of the processes that wrote the two may
 * differ.
 */
export class EndpointTimelines {
  private readonly known = new BoundedMap<string, Timeline>(STEPS_KEPT, {
    limit: STEPS_KEPT,
    of: ({ steps }) => steps.length,
  });
  /** The newest of the events met so far. */
  private newest = START_OF_LOG;

  constructor(private readonly store: EventStore) {}

  /** Null where the endpoint was made later. */
  async at(event: RecordedEvent, mode: Mode, endpointId: string): Promise<Omit<Step, 'position'> | null> {
    this.newest = laterPosition(this.newest, event.position);
    const stream = streamName(mode, webhookEndpoints.category, endpointId);
    const known = this.known.get(stream);
    const { steps } = known && known.asOf >= event.position ? known : await this.read(stream);
    return steps.findLast(({ position }) => position < event.position) ?? null;
  }

  /** The stream is read on from its last reading: the timeline at hand may be older than the event. */
  private async read(stream: string): Promise<Timeline> {
    const before = this.known.get(stream) ?? UNREAD;
    const asOf = this.newest;
    const tail = (await this.store.readStream(stream, {
      from: before.revision + 1,
    })) as readonly RecordedEvent<WebhookEndpointEvent>[];
    const after = extended(before, tail, asOf);
    this.keep(stream, after);
    return after;
  }

  private keep(stream: string, timeline: Timeline): void {
    const before = this.known.get(stream);
    // Another reading came farther meanwhile.
    if (before && (before.revision > timeline.revision || before.asOf > timeline.asOf)) return;
    this.known.set(stream, timeline);
  }
}

function extended(before: Timeline, tail: readonly RecordedEvent<WebhookEndpointEvent>[], asOf: LogPosition): Timeline {
  const steps = [...before.steps];
  let { state, revision } = before;
  for (const event of tail) {
    state = webhookEndpoints.evolve(state, event);
    revision = event.revision;
    if (state.status === 'none') continue;
    const { status, enabledEvents } = state;
    const [isEnabled, last] = [status === 'enabled', steps.at(-1)];
    const isSame = last?.isEnabled === isEnabled && last.enabledEvents === enabledEvents;
    if (!isSame) steps.push({ position: event.position, isEnabled, enabledEvents });
  }
  return { state, revision, steps, asOf };
}
