import type { RecordedEvent } from '../../../src/kernel/event';
import { firstBrokenLink } from '../../../src/kernel/hash-chain-check';
import type { TokenId } from '../../../src/vocabulary/tokens';
import type { Acknowledged } from '../clients';
import { byStream, CATEGORIES } from '../history';
import { TOKEN_FACTS } from './by-the-book';

type Data = Readonly<Record<string, string>>;
const ONCE_A_REQUEST: readonly string[] = [
  'PaymentIntentCreated', 'MethodSelected', 'PaymentLinkCreated', 'PaymentLinkUsed', 'InvoiceNumberAllocated', 'InvoiceIssued',
]; // prettier-ignore

type Open = { readonly token: TokenId; readonly amount: bigint; readonly paymentIntent: string };

/** I2: amounts that are open at one moment on one address and token lie more than twice the tolerance apart. */
export function reservationsApart(events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const open = new Map<string, Map<string, Open>>();
  for (const { stream, type, data, revision } of events) {
    const slot = /^(?:test|live)\.amount_slot-([a-z]+:[^:]+:([^:]+)):\d+$/.exec(stream);
    if (!slot) continue;
    const [, place, token] = slot as unknown as [string, string, TokenId];
    const { payment_intent: paymentIntent, amount_base_units: amount } = data as Data;
    const here = open.get(place) ?? new Map<string, Open>();
    open.set(place, here);
    if (type === 'AmountReleased') here.delete(stream);
    if (type !== 'AmountReserved') continue;
    const taken: Open = { token, amount: BigInt(amount as string), paymentIntent: paymentIntent as string };
    const apart = 2n * TOKEN_FACTS[token].tolerance;
    for (const other of here.values()) {
      const distance = other.amount > taken.amount ? other.amount - taken.amount : taken.amount - other.amount;
      if (distance <= apart)
        found.push(`I2: ${stream} #${revision}: ${paymentIntent} is ${distance} from ${other.paymentIntent}`);
    }
    here.set(stream, taken);
  }
  for (const [place, here] of open)
    for (const { paymentIntent } of here.values()) found.push(`${place}: ${paymentIntent} never gave its amount back`);
  return found;
}

/** I11: every stream's hash chain holds, and no revision is missing. */
export function unbrokenChains(events: readonly RecordedEvent[]): string[] {
  return CATEGORIES.flatMap(category =>
    [...byStream(events, category)].flatMap(([stream, history]) => {
      const gap = history.findIndex((event, index) => event.revision !== index);
      const broken = firstBrokenLink(history);
      return [
        ...(gap < 0 ? [] : [`I11: ${stream} has no revision ${gap}`]),
        ...(broken ? [`I11: ${stream} is broken at #${broken.revision}`] : []),
      ];
    }),
  );
}

/**
 * I9: however often a client asks under one id, one payment is created, one amount stays reserved and one method is
 * selected. One link is made or used, and one invoice is drafted or issued.
 */
export function oneEffectARequest(events: readonly RecordedEvent[]): string[] {
  const effects = new Map<string, string>();
  const standing = events.filter(({ type }) => ONCE_A_REQUEST.includes(type));
  return standing.flatMap(({ type, stream, metadata }) => {
    const effect = `${metadata.command_id} ${type}`;
    const before = effects.get(effect);
    effects.set(effect, stream);
    return before === undefined ? [] : [`I9: ${effect} in ${before} and in ${stream}`];
  });
}

/** I14: every answer to a client is in the log, whatever died since. */
export function acknowledgedIsKept(acknowledged: readonly Acknowledged[], events: readonly RecordedEvent[]): string[] {
  const streams = byStream(events, 'payment_intent');
  return acknowledged.flatMap(({ paymentIntent, event }) => {
    const history = streams.get(`payment_intent-${paymentIntent}`) ?? [];
    return history.some(({ type }) => type === event)
      ? []
      : [`I14: ${paymentIntent} was answered ${event}, and has none`];
  });
}
