import { parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { ChainView } from '../chain-view';
import type { Mode } from '../../../src/vocabulary/modes';
import { byStream, openStreams } from '../history';
import type { Payers, Standing } from '../payers';
import { tokenOf } from '../setting';
import { statusAfter } from './payment-checks';
import { isRejection } from './remainder-checks';

type Data = Readonly<Record<string, string>>;

/** Below a hundredth of a token nothing is followed that meets no amount. */
const DUST_PER_TOKEN = 100n;
/** A hole whose newest event is one of these is open. */
const OPEN_HOLE = ['CoverageHoleOpened', 'CoverageHoleExtended', 'CoverageHoleShortened'];

/**
 * I12: by the chain itself, nothing counts but the standing transfers of approved tokens. Each of them is counted
 * by one payment, or lies in the unmatched queue, or is worth nothing. So credited, unmatched, ignored and deferred add
 * up to the amount sent. In the end nothing is deferred, and no block is unread.
 */
export function moneyAddsUp(payers: Payers, events: readonly RecordedEvent[]): string[] {
  const found: string[] = [];
  const streams = byStream(events, 'transfer');
  const payments = byStream(events, 'payment_intent');
  // A log of another contract may stand where an approved token's stood before a reorganisation: it is nobody's, as a
  // log off the chain is.
  const approved = payers.standing().filter(payment => isApproved(payment, payers.mode));
  const standing = new Map(approved.map(payment => [streamOf(payment), payment]));
  const sums = { sent: 0n, credited: 0n, unmatched: 0n, ignored: 0n, deferred: 0n };
  const deferred = openStreams(events, 'deferred_transfer', 'TransferDeferred');
  for (const stream of [...deferred, ...openStreams(events, 'coverage_hole', ...OPEN_HOLE)])
    found.push(`I12: ${stream} is set aside in the end`);
  for (const [stream, payment] of standing) {
    const value = payment.log.valueBaseUnits;
    sums.sent += value;
    if (deferred.some(each => each.startsWith(`deferred_${stream}:`))) {
      sums.deferred += value;
      continue;
    }
    const history = streams.get(stream);
    if (!history) {
      sums.ignored += value;
      if (!isDust(payment)) found.push(`I12: ${stream} stands on the chain and was never seen`);
      continue;
    }
    const holders = holdersOf(stream, history, payments);
    for (const holder of holders) found.push(...asItStands(stream, payment, holder));
    const isQueued = isInQueue(history);
    if (holders.length > 1) found.push(`I12: ${stream} is held by ${names(holders)}`);
    if (holders.length === 1 && isQueued)
      found.push(`I12: ${stream} is held by ${names(holders)} and lies in the queue`);
    // A transfer that came back as next to nothing was taken out of the queue in its former shape.
    const isIgnored = holders.length === 0 && !isQueued && isDust(payment);
    if (holders.length === 0 && !isQueued && !isIgnored)
      found.push(`I12: ${stream} stands on the chain, is nobody's and not in the queue`);
    if (isIgnored) sums.ignored += value;
    else if (holders.length > 0) sums.credited += value;
    else sums.unmatched += value;
  }
  for (const [stream, history] of streams) {
    if (standing.has(stream)) continue;
    const holders = holdersOf(stream, history, payments);
    if (holders.length > 0) found.push(`I12: ${stream} is not on the chain, yet ${names(holders)} has it`);
    if (isInQueue(history)) found.push(`I12: ${stream} is not on the chain, yet it lies in the queue`);
  }
  const { sent, credited, unmatched, ignored } = sums;
  if (sent !== credited + unmatched + ignored + sums.deferred)
    found.push(`I12: ${sent} were sent, ${credited} + ${unmatched} + ${ignored} + ${sums.deferred} accounted for`);
  return found;
}

/** Streams of the category that end with the event by which something is set aside. */
/** A payment of the exact amount before the quote's end, whose transfer stood then and stands, is not left unpaid. */
export function whoeverPaidInTimeIsConfirmed(
  payers: Payers,
  atExpiry: ReadonlyMap<string, ChainView | null>,
  events: readonly RecordedEvent[],
): string[] {
  const payments = byStream(events, 'payment_intent');
  return payers.standing().flatMap(standing => {
    const { payment, network, log, block } = standing;
    if (payment === null) return [];
    const stream = `payment_intent-${payment.meant}`;
    const history = payments.get(stream) ?? [];
    const quoted = history.find(({ type }) => type === 'MethodSelected');
    if (!payers.isExact(payment) || !quoted) return [];
    const { due_base_units: due, quote_expires_at: end } = quoted.data as Data;
    const tolerance = tokenOf(network).attributionToleranceBaseUnits;
    const off = log.valueBaseUnits - BigInt(due as string);
    // A remainder's amount, or a moment outside the quote's quarter of an hour, is for the review.
    if (off > tolerance || off < -tolerance) return [];
    const paidMs = block.timeMs;
    if (paidMs > parseIsoTime(end as string) || paidMs < parseIsoTime(quoted.metadata.occurred_at)) return [];
    const status = statusAfter(history);
    // A reorganisation put it there after the quote had ended.
    const ended = atExpiry.get(`${payers.mode}.${stream}`);
    if (ended !== undefined && ended?.hashAt(block.number) !== block.hash && status === 'paid_late') return [];
    // Rejected in the review, it takes no more.
    if (history.some(isRejection)) return [];
    // Money after the quote's end leaves a payment with an inferred credit to its merchant.
    if (status === 'underpaid' && isLeftToMerchant(history, parseIsoTime(end as string))) return [];
    // A payment that failed because another transfer to it was gone for good may be met by a later transfer.
    return ['confirmed', 'overpaid', 'canceled', 'failed'].includes(status)
      ? []
      : [`${stream} was paid in time and is ${status}`];
  });
}

function isLeftToMerchant(history: readonly RecordedEvent[], endMs: number): boolean {
  const detected = history.filter(({ type }) => type === 'TransferDetected').map(({ data }) => data as Data);
  const isInferred = detected.some(({ attribution }) => attribution === 'inferred');
  return isInferred && detected.some(({ block_time: at }) => parseIsoTime(at as string) > endMs);
}

function streamOf({ network, txHash, ordinal }: Standing): string {
  return `transfer-${network}:${txHash}:${ordinal}`;
}

function isApproved({ network, log }: Standing, mode: Mode): boolean {
  return log.contract === tokenOf(network).contract[mode];
}

function isDust({ network, log }: Standing): boolean {
  return log.valueBaseUnits * DUST_PER_TOKEN < 10n ** BigInt(tokenOf(network).decimals);
}

/** A payment, and the transfer as it knows it at the end. */
type Holder = { readonly name: string; readonly value: string; readonly blockHash: string };

/** The payments in whose ledger the transfer stands at the end. */
function holdersOf(
  stream: string,
  history: readonly RecordedEvent[],
  payments: ReadonlyMap<string, readonly RecordedEvent[]>,
): readonly Holder[] {
  const [, hash, place] = stream.split(':');
  const claimers = new Set(
    history.flatMap(({ type, data }) =>
      type === 'TransferClaimed' || type === 'TransferResolved' ? [(data as Data).payment_intent as string] : [],
    ),
  );
  return [...claimers].flatMap(name => {
    let holder: Holder | null = null;
    let transferId: string | undefined;
    for (const { type, data } of payments.get(`payment_intent-${name}`) ?? []) {
      const {
        transfer_id: id,
        tx_hash: txHash,
        value_base_units: value,
        block_hash: blockHash,
        ordinal,
      } = data as Data;
      if (type === 'TransferDetected' && txHash === hash && String(ordinal) === place) {
        transferId = id;
        holder = { name, value: value as string, blockHash: blockHash as string };
      }
      if (id === undefined || id !== transferId) continue;
      if (type === 'TransferMoved' && holder) holder = { ...holder, blockHash: blockHash as string };
      if (['TransferDropped', 'PaymentFailed', 'SettledTransferLost'].includes(type)) holder = null;
    }
    return holder ? [holder] : [];
  });
}

function asItStands(stream: string, { log, block }: Standing, { name, value, blockHash }: Holder): string[] {
  return [
    ...(value === log.valueBaseUnits.toString() ? [] : [`I12: ${name} holds ${stream} as one of ${value}`]),
    ...(blockHash === block.hash ? [] : [`${name} does not know the block in which ${stream} stands`]),
  ];
}

function names(holders: readonly Holder[]): string {
  return holders.map(({ name }) => name).join(' and ');
}

function isInQueue(history: readonly RecordedEvent[]): boolean {
  let isQueued = false;
  for (const { type } of history) {
    // An attribution that failed is shown as such, for an administrator to open again.
    if (['TransferUnmatched', 'TransferReopened', 'AttributionFailed'].includes(type)) isQueued = true;
    if (['TransferClaimed', 'TransferResolved', 'TransferSetAside', 'TransferReorgedOut'].includes(type))
      isQueued = false;
  }
  return isQueued;
}
