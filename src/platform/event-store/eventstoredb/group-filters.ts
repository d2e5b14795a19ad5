import { BACKWARDS, END, type ResolvedEvent } from '@eventstore/db-client';
import { z } from 'zod';
import { uuidV5 } from '../../../vocabulary/ids';
import { invariant } from '../../../kernel/invariant';
import { WrongExpectedRevision, type EventFilter } from '../../../kernel/ports/event-store';
import { safeInteger, type EncodedEvent } from './event-codec';
import type { GuardedClient } from './guarded-client';

const FILTER_CHOSEN = 'GroupFilterChosen';
/** Processes that start together choose at the same time; more rounds than this are a defect. */
const CHOOSING_ROUNDS = 8;

const filterSchema = z.strictObject({ categories: z.array(z.string()).min(1) });

type Chosen = { readonly filter: EventFilter | null; readonly revision: number };

/**
 * The events for each group. The server fixes a group's filter at its creation and does not show it. So groups are
 * given all of our events, and the filter here narrows them. The filter is kept in a stream of its own, outside of
 * every universe.
 */
export class GroupFilters {
  private readonly known = new Map<string, EventFilter>();

  constructor(private readonly guarded: GuardedClient) {}

  async choose(group: string, filter: EventFilter): Promise<void> {
    await this.record(group, filter);
    this.known.set(group, filter);
  }

  /** Throws RangeError when there is no such group. */
  async load(group: string): Promise<void> {
    const { filter } = await this.read(group);
    if (!filter) throw new RangeError(`no group named ${group}: ensureGroup makes it`);
    this.known.set(group, filter);
  }

  /** The filter that this process chose or loaded last. */
  of(group: string): EventFilter {
    const filter = this.known.get(group);
    invariant(filter, `the filter of group ${group} is not loaded`);
    return filter;
  }

  private async record(group: string, filter: EventFilter): Promise<void> {
    for (let round = 1; ; round++) {
      const { filter: standing, revision } = await this.read(group);
      if (standing && JSON.stringify(standing) === JSON.stringify(filter)) return;
      const id = uuidV5([streamOf(group), revision + 1, JSON.stringify(filter)].join('\n'));
      const data = Buffer.from(JSON.stringify(filter));
      const event: EncodedEvent = { id, type: FILTER_CHOSEN, data, metadata: Buffer.of() };
      try {
        await this.guarded.append(streamOf(group), revision < 0 ? 'no_stream' : revision, [event]);
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || round >= CHOOSING_ROUNDS) throw error;
      }
    }
  }

  private async read(group: string): Promise<Chosen> {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
    const [last] = (await this.guarded.readStream(streamOf(group), options)) ?? [];
    return last?.event ? parseChosen(group, last.event) : { filter: null, revision: -1 };
  }
}

function streamOf(group: string): string {
  return `subscription_group-${group}`;
}

function parseChosen(group: string, event: NonNullable<ResolvedEvent['event']>): Chosen {
  const parsed = filterSchema.safeParse(event.data);
  if (!parsed.success)
    throw new TypeError(`${streamOf(group)}: the stored filter cannot be read: ${parsed.error.message}`);
  return { filter: parsed.data, revision: safeInteger(event.revision, `${streamOf(group)}: revision`) };
}
