import { MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { TokenId } from '../../../src/vocabulary/tokens';
import { byStream } from '../history';

type Data = Readonly<Record<string, string>>;
type Asked = {
  readonly place: string;
  readonly paymentIntent: string;
  readonly merchantId: string | null;
  readonly amount: bigint;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly writtenMs: number;
};

/** A block's time may lag the service's clock by so much. */
const SKEW_MS = 2 * MINUTE_MS;
/** A reservation that is made as a claim is decided on may not be known to it yet. */
const IN_FLIGHT_MS = MINUTE_MS;

/**
 * A naming gets no transfer whose value was nearer, as it came, to an amount of another merchant's payment at the same
 * address. The rule holds however little of that payment the documents showed.
 */
export function noneNearerToAnother(events: readonly RecordedEvent[]): string[] {
  const asked = [...byStream(events, 'amount_slot')].flatMap(([stream, history]) =>
    history.filter((_, index) => !isUnused(history.slice(index))).flatMap(askedBy(stream)),
  );
  return [...byStream(events, 'transfer')].flatMap(([stream, history]) => {
    let seen: Data = {};
    let changedMs = -Infinity;
    return history.flatMap(({ type, data, metadata }) => {
      const { value_base_units: value } = data as Data;
      const atMs = parseIsoTime(metadata.occurred_at);
      // A transfer that a reorganisation changes during the decision is judged by its former value.
      if (type === 'TransferSeen' && seen.value_base_units !== undefined && seen.value_base_units !== value)
        changedMs = atMs;
      if (type === 'TransferSeen') seen = data as Data;
      const isNamed = type === 'TransferClaimed' && !['watcher', 'admin'].includes(metadata.actor.role);
      if (!isNamed || atMs - changedMs <= IN_FLIGHT_MS) return [];
      const { payment_intent: paymentIntent = '' } = data as Data;
      const nearer = nearerThan(asked, seen, stream, paymentIntent, atMs);
      return nearer
        ? [`${stream} of ${seen.value_base_units} was named for ${paymentIntent}, and is nearer to ${nearer}`]
        : [];
    });
  });
}

/** The amount was given back before its payment had it: nobody was ever shown it. */
function isUnused([reserved, ...later]: readonly RecordedEvent[]): boolean {
  const paymentOf = (event: RecordedEvent | undefined) => (event?.data as Data | undefined)?.payment_intent;
  const released = later.find(event => event.type === 'AmountReleased' && paymentOf(event) === paymentOf(reserved));
  return (released?.data as Data | undefined)?.reason === 'unused';
}

function askedBy(stream: string): (event: RecordedEvent) => readonly Asked[] {
  const place = stream.slice('amount_slot-'.length, stream.lastIndexOf(':'));
  return ({ type, data, metadata }) => {
    if (type !== 'AmountReserved') return [];
    const { payment_intent: paymentIntent, amount_base_units: amount, reserved_at, reserved_until } = data as Data;
    const span = { fromMs: parseIsoTime(reserved_at as string), untilMs: parseIsoTime(reserved_until as string) };
    const writtenMs = parseIsoTime(metadata.occurred_at);
    const { merchant_id: merchantId } = metadata;
    return [
      {
        place,
        paymentIntent: paymentIntent as string,
        merchantId,
        amount: BigInt(amount as string),
        ...span,
        writtenMs,
      },
    ];
  };
}

/** The payment of another merchant that asked for an amount nearer to the transfer; undefined where none did. */
function nearerThan(
  asked: readonly Asked[],
  { token_id: token, to, value_base_units: text, block_time: time }: Data,
  stream: string,
  paymentIntent: string,
  claimedMs: number,
): string | undefined {
  const [network] = stream.slice('transfer-'.length).split(':');
  const here = asked.filter(({ place }) => place === `${network}:${to}:${token as TokenId}`);
  const own = here.filter(each => each.paymentIntent === paymentIntent);
  const value = BigInt(text as string);
  const off = ({ amount }: Asked): bigint => (amount > value ? amount - value : value - amount);
  const nearest = own.map(off).reduce((least, each) => (each < least ? each : least), value);
  const paidMs = parseIsoTime(time as string);
  return here.find(each => {
    const isOpen = each.fromMs <= paidMs + SKEW_MS && each.untilMs >= paidMs;
    const isKnown = each.writtenMs < claimedMs - IN_FLIGHT_MS;
    return each.merchantId !== own[0]?.merchantId && isOpen && isKnown && off(each) < nearest;
  })?.paymentIntent;
}
