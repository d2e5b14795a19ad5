import { MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';
import type { Payers, Standing } from '../payers';
import { tokenOf } from '../setting';

type Data = Readonly<Record<string, string>>;
type Naming = { readonly logIndex: number | null; readonly endMs: number };

/** When all trouble is over, the service has so long at least to say what becomes of what was named. */
const ANSWER_MS = 10 * MINUTE_MS;
const ANSWERS: readonly string[] = ['NamingAttributed', 'NamingKept', 'NamingRefused'];

/**
 * Whoever still waits for an answer as all trouble ends gets one, if the transaction that was named stands and pays the
 * payment's address.
 */
export function everyNamingIsAnswered(payers: Payers, healedMs: number, events: readonly RecordedEvent[]): string[] {
  const standing = payers.standing();
  return [...byStream(events, 'naming')].flatMap(([stream, history]) => {
    const waiting = new Map<string, Naming>();
    for (const { type, data } of history) {
      const { payment_intent: payment, expires_at: end, log_index: logIndex } = data as Data;
      if (type === 'TransactionNamed')
        waiting.set(payment as string, {
          logIndex: (logIndex ?? null) as number | null,
          endMs: parseIsoTime(end as string),
        });
      if (ANSWERS.includes(type)) waiting.delete(payment as string);
    }
    return [...waiting].flatMap(([payment, naming]) => {
      const isInTime = naming.endMs >= healedMs + ANSWER_MS;
      const isMet = isInTime && standing.some(each => meets(each, stream, naming, payers));
      return isMet ? [`${payment} named ${stream.slice('naming-'.length)}, and nobody answered`] : [];
    });
  });
}

function meets(
  { network, txHash, ordinal, log }: Standing,
  stream: string,
  { logIndex }: Naming,
  { mode }: Payers,
): boolean {
  const isFitting = log.valueBaseUnits > 0n && log.contract === tokenOf(network).contract[mode];
  const transaction = `naming-${network}:${txHash}`;
  const isNamed = [transaction, `${transaction}:${ordinal}`].includes(stream) && (logIndex ?? ordinal) === ordinal;
  return isFitting && isNamed;
}
