import { z } from 'zod';
import type { ServiceApi } from './service-api';

const PAGE = 100;
/** Pages that one look reads. */
const MOST_PAGES = 100;

/** The service writes the fields in this order; `data` stays untouched, so that its bytes come out the same. */
const EVENT = z.object({
  id: z.string(),
  type: z.string(),
  created: z.number(),
  api_version: z.string(),
  data: z.unknown(),
});
const EVENTS = z.object({ data: z.array(EVENT), has_more: z.boolean() });

/** The body of a delivery. */
export type WebhookBody = z.infer<typeof EVENT>;

/** The webhook events that arise after the start, each once, by the list of the API. */
export class EventFeed {
  /** Ids sort by time. */
  private since = '';
  private seen: ReadonlySet<string> = new Set();

  constructor(private readonly api: ServiceApi) {}

  /** Events of before are left out. */
  async start(): Promise<void> {
    const { data } = await this.page(1, null);
    this.since = data[0]?.id ?? '';
  }

  /**
   * The new events, the oldest first. An event may be listed later than a younger one, so the newest page is always
   * looked at as a whole.
   */
  async look(): Promise<readonly WebhookBody[]> {
    const [listed, fresh]: [Set<string>, WebhookBody[]] = [new Set(), []];
    let after: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const { data, has_more: isMore } = await this.page(PAGE, after);
      const unseen = data.filter(({ id }) => id > this.since && !this.seen.has(id));
      fresh.push(...unseen);
      for (const { id } of data) listed.add(id);
      after = data.at(-1)?.id ?? null;
      if (!isMore || unseen.length < data.length) break;
    }
    this.seen = listed;
    return fresh.reverse();
  }

  private page(limit: number, after: string | null): Promise<z.infer<typeof EVENTS>> {
    const cursor = after === null ? '' : `&starting_after=${after}`;
    return this.api.call(`/v1/webhook_events?limit=${limit}${cursor}`, EVENTS);
  }
}
