import { parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { TOKENS } from '../../../src/kernel/tokens';
import { byStream } from '../history';
import type { Payers, Payment } from '../payers';
import { TOKEN_OF } from '../shops';
import { statusAfter } from './payment-checks';

type Data = Readonly<Record<string, string>>;

/** Below a hundredth of a token nothing is followed that meets no amount. */
const DUST_PER_TOKEN = 100n;

/**
 * I12: by the chain's own ledger, each transfer of an approved token that stands is counted by one payment, or lies in the unmatched queue, or
 * is worth nothing; and nothing else counts. So credited, unmatched and ignored add up to what was sent.
 */
export function moneyAddsUp(payers: Payers, events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const streams = byStream(events, 'transfer');
  const standing = new Map(payers.standing().map(payment => [streamOf(payment), payment]));
  const sums = { sent: 0n, credited: 0n, unmatched: 0n, ignored: 0n };
  for (const [stream, payment] of standing) {
    if (!isApproved(payment)) {
      if (streams.has(stream)) found.push(`I12: ${stream} is of another contract, and has a stream`);
      continue;
    }
    const value = payment.transfer.valueBaseUnits;
    sums.sent += value;
    const history = streams.get(stream);
    if (!history) {
      sums.ignored += value;
      if (!isDust(payment)) found.push(`I12: ${stream} stands on the chain and was never seen`);
      continue;
    }
    const holders = holdersOf(stream, history, events);
    const isQueued = isInQueue(history);
    if (holders.length > 1) found.push(`I12: ${stream} is held by ${holders.join(' and ')}`);
    if (holders.length === 1 && isQueued)
      found.push(`I12: ${stream} is held by ${holders.join()} and lies in the queue`);
    if (holders.length === 0 && !isQueued)
      found.push(`I12: ${stream} stands on the chain, is nobody's and not in the queue`);
    if (holders.length > 0) sums.credited += value;
    else sums.unmatched += value;
  }
  for (const [stream, history] of streams) {
    if (standing.has(stream)) continue;
    const holders = holdersOf(stream, history, events);
    if (holders.length > 0) found.push(`I12: ${stream} is not on the chain, yet ${holders.join()} has it`);
    if (isInQueue(history)) found.push(`I12: ${stream} is not on the chain, yet it lies in the queue`);
  }
  if (sums.sent !== sums.credited + sums.unmatched + sums.ignored)
    found.push(`I12: ${sums.sent} were sent, ${sums.credited} + ${sums.unmatched} + ${sums.ignored} accounted for`);
  return found;
}

/** Who paid the exact amount before the quote's end, and whose transfer stands, is not left unpaid. */
export function whoeverPaidInTimeIsConfirmed(payers: Payers, events: readonly RecordedEvent[]): string[] {
  const payments = byStream(events, 'payment_intent');
  return payers.standing().flatMap(payment => {
    const stream = `test.payment_intent-${payment.meant}`;
    const history = payments.get(stream) ?? [];
    const quoted = history.find(({ type }) => type === 'MethodSelected');
    if (!payment.isExact || !quoted) return [];
    const { due_base_units: due, quote_expires_at: end } = quoted.data as Data;
    const tolerance = TOKENS[TOKEN_OF[payment.network]].attributionToleranceBaseUnits;
    const off = payment.transfer.valueBaseUnits - BigInt(due as string);
    // A remainder's amount, or a moment outside the quote's quarter of an hour, is for the review.
    if (off > tolerance || off < -tolerance) return [];
    if (payment.timeMs > parseIsoTime(end as string) || payment.timeMs < parseIsoTime(quoted.metadata.occurred_at))
      return [];
    const status = statusAfter(history);
    // One that failed because another transfer to it was gone for good may be met by one that came after.
    return ['confirmed', 'overpaid', 'canceled', 'failed'].includes(status)
      ? []
      : [`${stream} was paid in time and is ${status}`];
  });
}

function streamOf({ network, transfer }: Payment): string {
  // Each transaction of this world holds one transfer.
  return `test.transfer-${network}:${transfer.txHash}:0`;
}

function isApproved({ network, transfer }: Payment): boolean {
  return transfer.contract === TOKENS[TOKEN_OF[network]].contract.test;
}

function isDust({ network, transfer }: Payment): boolean {
  return transfer.valueBaseUnits * DUST_PER_TOKEN < 10n ** BigInt(TOKENS[TOKEN_OF[network]].decimals);
}

/** The payments in whose ledger the transfer stands at the end. */
function holdersOf(
  stream: string,
  history: readonly RecordedEvent[],
  events: readonly RecordedEvent[],
): readonly string[] {
  const hash = stream.split(':')[1] as string;
  const claimers = new Set(
    history.flatMap(({ type, data }) =>
      type === 'TransferClaimed' || type === 'TransferResolved' ? [(data as Data).by as string] : [],
    ),
  );
  const payments = byStream(events, 'payment_intent');
  return [...claimers].filter(claimer => {
    const held = new Map<string, string>();
    for (const { type, data } of payments.get(`test.payment_intent-${claimer}`) ?? []) {
      const { transfer_id: id, tx_hash: txHash } = data as Data;
      if (type === 'TransferDetected') held.set(id as string, txHash as string);
      if (['TransferDropped', 'PaymentFailed', 'SettledTransferLost'].includes(type)) held.delete(id as string);
    }
    return [...held.values()].includes(hash);
  });
}

function isInQueue(history: readonly RecordedEvent[]): boolean {
  let isQueued = false;
  for (const { type } of history) {
    if (type === 'TransferUnmatched' || type === 'TransferReopened') isQueued = true;
    if (['TransferClaimed', 'TransferResolved', 'TransferReorgedOut', 'AttributionFailed'].includes(type))
      isQueued = false;
  }
  return isQueued;
}
