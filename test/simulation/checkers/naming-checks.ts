import { parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { byStream } from '../history';
import type { Payers, Standing } from '../payers';
import { tokenOf } from '../setting';

type Data = Readonly<Record<string, string>>;
type Naming = { readonly logIndex: number | null; readonly endMs: number };

const ANSWERS: readonly string[] = ['NamingAttributed', 'NamingKept', 'NamingRefused'];

/**
 * A naming of a transaction gets an answer, however late the service comes to look. For that the transaction must stand
 * in a block of the naming's day or of before, and pay the payment's address.
 */
export function everyNamingIsAnswered(payers: Payers, events: readonly RecordedEvent[]): string[] {
  const standing = payers.standing();
  const payments = byStream(events, 'payment_intent');
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
      const quoted = payments.get(`payment_intent-${payment}`)?.find(({ type }) => type === 'MethodSelected');
      const address = (quoted?.data as Data | undefined)?.address;
      const isMet = standing.some(each => each.log.to === address && meets(each, stream, naming, payers));
      return isMet ? [`${payment} named ${stream.slice('naming-'.length)}, and nobody answered`] : [];
    });
  });
}

function meets(
  { network, txHash, ordinal, log, block }: Standing,
  stream: string,
  { logIndex, endMs }: Naming,
  { mode }: Payers,
): boolean {
  const isFitting = log.valueBaseUnits > 0n && log.contract === tokenOf(network).contract[mode];
  const transaction = `naming-${network}:${txHash}`;
  const isNamed = [transaction, `${transaction}:${ordinal}`].includes(stream) && (logIndex ?? ordinal) === ordinal;
  return isFitting && isNamed && block.timeMs <= endMs;
}
