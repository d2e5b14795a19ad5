import type { Collection } from '../../kernel/ports/documents';
import type { OutboxDocument } from './outbox';

/** Messages that are counted; of more, the standing says that there are more. */
const COUNTED = 500;

type OutboxStanding = {
  readonly queued: number;
  readonly has_more: boolean;
  readonly oldest_created_at: string | null;
  readonly next_attempt_at: string | null;
  /** Queued messages of which an attempt has failed. */
  readonly failing: number;
  readonly given_up: number;
  readonly last_detail: string | null;
};

/** How mail goes out, without its words and readers. */
export async function outboxStanding(messages: Pick<Collection<OutboxDocument>, 'list'>): Promise<OutboxStanding> {
  const ofStatus = (status: OutboxDocument['status']) =>
    messages.list({ index: 'by_due', equals: { status }, limit: COUNTED, omit: ['text', 'html'] });
  const [queued, givenUp] = await Promise.all([ofStatus('queued'), ofStatus('given_up')]);
  const bodies = queued.map(({ body }) => body);
  const failing = bodies.filter(({ attempts }) => attempts > 0);
  const created = bodies.map(({ created_at: at }) => at).toSorted();
  return {
    queued: queued.length,
    has_more: queued.length === COUNTED,
    oldest_created_at: created[0] ?? null,
    next_attempt_at: bodies[0]?.next_attempt_at ?? null,
    failing: failing.length,
    given_up: givenUp.length,
    last_detail: withoutAddresses(failing.at(-1)?.detail ?? null),
  };
}

const BETWEEN_WORDS = /([\s<>]+)/;

/** A mail server's answer often repeats whom the mail was for. */
function withoutAddresses(detail: string | null): string | null {
  const words = detail?.split(BETWEEN_WORDS).map(word => (word.includes('@') ? 'address' : word));
  return words?.join('') ?? null;
}
