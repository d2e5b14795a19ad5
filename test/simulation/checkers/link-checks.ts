import { parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';

type Link = {
  readonly currency: string;
  readonly amount_minor_units: string | null;
  readonly min_minor_units: string | null;
  readonly max_minor_units: string | null;
  readonly max_uses: number | null;
  readonly expires_at: string | null;
  readonly use_count: number;
  readonly deactivated_at: string | null;
};
type Use = { readonly link: Link; readonly payment_intent: string; readonly amount_minor_units: string };
type Created = {
  readonly amount_minor_units: string;
  readonly currency: string;
  readonly payment_link: string | null;
  readonly restarted_from: string | null;
};

/**
 * A link's uses are the payments that it opened. Uses are counted one by one, and never over the limit. None is at the
 * link's end or later, or after the deactivation. Each is for an amount that the link takes.
 */
export function usesByTheRules(events: readonly RecordedEvent[]): string[] {
  const payments = paymentsOf(events);
  const used = new Set<string>();
  const found: string[] = [];
  for (const [stream, history] of byStream(events, 'payment_link')) {
    const [created, ...later] = history;
    const { link: terms } = created?.data as { readonly link: Link };
    if (created?.type !== 'PaymentLinkCreated' || terms.use_count !== 0) found.push(`${stream} begins otherwise`);
    let uses = 0;
    let isActive = true;
    for (const event of later) {
      const where = `${stream} #${event.revision}`;
      const { link } = event.data as { readonly link: Link };
      if (termsIn(link) !== termsIn(terms)) found.push(`${where} changes the terms of the link`);
      if (event.type === 'PaymentLinkDeactivated') {
        if (!isActive) found.push(`${where} deactivates the link again`);
        isActive = false;
      } else {
        uses += 1;
        if (!isActive) found.push(`${where} is a use after the deactivation`);
        found.push(...misused(where, event, terms, payments, used));
      }
      if (link.use_count !== uses) found.push(`${where} counts ${link.use_count} uses, and there were ${uses}`);
    }
  }
  return [...found, ...openedWithoutUse(payments, used)];
}

function misused(
  where: string,
  { data, metadata, position, stream }: RecordedEvent,
  { currency, max_uses: limit, expires_at: end, ...terms }: Link,
  payments: ReadonlyMap<string, RecordedEvent>,
  used: Set<string>,
): string[] {
  const { link, payment_intent: id, amount_minor_units: amount } = data as Use;
  const found: string[] = [];
  if (limit !== null && link.use_count > limit) found.push(`${where} is a use over the limit of ${limit}`);
  if (end !== null && parseIsoTime(metadata.occurred_at) >= parseIsoTime(end))
    found.push(`${where} is a use after the end`);
  const { amount_minor_units: price, min_minor_units: least, max_minor_units: most } = terms;
  const isTaken =
    price === null ? BigInt(amount) >= BigInt(least ?? 0) && BigInt(amount) <= BigInt(most ?? 0) : amount === price;
  if (!isTaken) found.push(`${where} is a use for ${amount}`);
  if (used.has(id)) found.push(`${where} opens ${id} once more`);
  used.add(id);
  const payment = payments.get(id);
  const { amount_minor_units, currency: asked, payment_link: named } = (payment?.data ?? {}) as Partial<Created>;
  if (!payment) found.push(`${where}: ${id} was never made`);
  else if (amount_minor_units !== amount || asked !== currency || named !== idOf(stream))
    found.push(`${where}: ${id} was made with other terms`);
  else if (payment.position < position) found.push(`${where}: ${id} was made before it was counted`);
  return found;
}

/** A payment that was started anew names the link of the former one, and is no use. */
function openedWithoutUse(payments: ReadonlyMap<string, RecordedEvent>, used: ReadonlySet<string>): string[] {
  return [...payments].flatMap(([id, { data }]) => {
    const { payment_link: link, restarted_from: former } = data as Created;
    if (used.has(id)) return [];
    if (former === null) return link === null ? [] : [`${id} was opened by ${link}, which does not count it`];
    return (payments.get(former)?.data as Created | undefined)?.payment_link === link
      ? []
      : [`${id} was started anew and names another link`];
  });
}

/** The first event of each payment, by the payment's id. */
export function paymentsOf(events: readonly RecordedEvent[]): ReadonlyMap<string, RecordedEvent> {
  return new Map(
    events.filter(({ type }) => type === 'PaymentIntentCreated').map(event => [idOf(event.stream), event]),
  );
}

export function idOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

function termsIn({ use_count: _, deactivated_at: __, ...terms }: Link): string {
  return JSON.stringify(terms);
}
