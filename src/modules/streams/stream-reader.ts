import { parseStreamName, streamName, type RecordedEvent } from '../../kernel/event';
import { firstBrokenLink } from '../../kernel/hash-chain-check';
import type { EventStore } from '../../kernel/ports/event-store';
import { adminPermits, type AdminRole } from '../../vocabulary/admin-roles';
import { refuse } from '../../vocabulary/errors';
import { UNIVERSES } from '../../vocabulary/modes';
import type { StreamStates } from './stream-states';
import { streamView, type StreamMoment, type StreamView } from './stream-view';

const EVENTS_PER_PAGE = 1_000;
/** The write path keeps streams far below this limit; of a longer stream, the events up to the limit are read. */
const EVENTS_LIMIT = 100_000;

type StreamParts = {
  /** The log as it was recorded: hashes are over recorded bytes. */
  readonly recorded: Pick<EventStore, 'readStream'>;
  /** The kinds of streams that the service writes. */
  readonly categories: readonly string[];
  readonly newestShape: (event: RecordedEvent) => RecordedEvent;
  readonly statesOf: StreamStates;
};

/** Reads any stream of the log, as of any moment. */
export class StreamReader {
  constructor(private readonly parts: StreamParts) {}

  /**
   * Throws Refusal resource_missing where there is no such stream, and parameter_invalid for a revision that it does
   * not have.
   */
  async view(stream: string, moment: StreamMoment | null, beside?: number): Promise<StreamView> {
    const recorded = isStreamName(stream) ? await this.readWhole(stream) : [];
    if (recorded.length === 0)
      throw refuse('resource_missing', { param: 'stream', message: `There is no stream ${stream}.` });
    const { newestShape, statesOf } = this.parts;
    const events = recorded.map(newestShape);
    const history = { stream, events, states: statesOf(stream, events), broken: firstBrokenLink(recorded) };
    return streamView(history, moment, beside);
  }

  /**
   * The same for an administrator. Streams above the modes tell of people and keys, and network addresses are those of
   * people: whoever may not read the audit log sees neither. Throws Refusal permission_denied as well.
   */
  async viewFor(role: AdminRole, stream: string, moment: StreamMoment | null): Promise<StreamView> {
    if (!mayRead(role, stream)) throw refuse('permission_denied');
    const view = await this.view(stream, moment);
    if (adminPermits(role, 'audit.read')) return view;
    return { ...view, events: view.events.map(event => ({ ...event, ip: null })) };
  }

  /** The same again and again: the stream is read whole once, and anew only where it has grown since. */
  watchFor(role: AdminRole, stream: string, moment: StreamMoment | null): () => Promise<StreamView> {
    let known: StreamView | null = null;
    return async () => {
      if (known === null || (await this.hasGrown(known))) known = await this.viewFor(role, stream, moment);
      return known;
    };
  }

  private async hasGrown({ stream, revisions }: StreamView): Promise<boolean> {
    return (await this.parts.recorded.readStream(stream, { from: revisions, limit: 1 })).length > 0;
  }

  /** The streams of this name, or of an object with this id, that the role may read. */
  async find(role: AdminRole, text: string): Promise<readonly string[]> {
    const named = UNIVERSES.flatMap(universe =>
      this.parts.categories.map(category => streamName(universe, category, text)),
    );
    const permitted = (isStreamName(text) ? [text] : named.filter(isStreamName)).filter(stream =>
      mayRead(role, stream),
    );
    const first = await Promise.all(permitted.map(stream => this.parts.recorded.readStream(stream, { limit: 1 })));
    return permitted.filter((_, index) => first[index]?.length === 1);
  }

  private async readWhole(stream: string): Promise<readonly RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    while (events.length < EVENTS_LIMIT) {
      const from = (events.at(-1)?.revision ?? -1) + 1;
      const page = await this.parts.recorded.readStream(stream, { from, limit: EVENTS_PER_PAGE });
      events.push(...page);
      if (page.length < EVENTS_PER_PAGE) break;
    }
    return events;
  }
}

function isStreamName(text: string): boolean {
  try {
    return parseStreamName(text).id !== '';
  } catch {
    return false;
  }
}

function mayRead(role: AdminRole, stream: string): boolean {
  return adminPermits(role, 'audit.read') || !stream.startsWith('platform.');
}
