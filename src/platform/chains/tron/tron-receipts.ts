import type { ObservedTransfer, Receipt } from '../../../kernel/ports/chain';
import { loggedTransfer, movesMoney, placed, type LoggedTransfer, type TransferFilter } from '../evm/transfer-logs';
import { inShape, invalidResponse } from '../http-post';
import type { BlockPlace } from '../readings';
import { log as logShape, type TransactionInfo } from './tron-shapes';

const METHOD = 'gettransactioninfo';
/** The event's own topic, the payer and the recipient. */
const TRANSFER_TOPICS = 3;

/** The logs of one transaction, in any number. Transfers that matter are kept, with their places among all logs. */
export class TronLogs {
  count = 0;
  readonly transfers: LoggedTransfer[] = [];
  private fault: Error | null = null;

  constructor(private readonly filter: TransferFilter) {}

  readonly take = (logs: readonly unknown[]): void => {
    for (const log of logs) this.add(log);
  };

  /** Throws Refusal provider_response_invalid where a log cannot be read. */
  check(): void {
    if (this.fault) throw this.fault;
  }

  private add(given: unknown): void {
    const ordinal = this.count++;
    if (this.fault || !mayBeTransfer(given)) return;
    try {
      const { address, topics, data } = inShape(METHOD, given, logShape);
      const log = { address: prefixed(address), topics: topics.map(prefixed), data: prefixed(data) };
      if (this.filter.concerns(log.address, log.topics) && movesMoney(log, METHOD))
        this.transfers.push(loggedTransfer(log, ordinal, this.filter, METHOD));
    } catch (error) {
      this.fault = error as Error;
    }
  }
}

/** False for a log of another kind, as nearly all are; true for a malformed log, too. */
function mayBeTransfer(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return true;
  const { address = '', topics = [], data = '' } = given as Readonly<Record<string, unknown>>;
  const isLog = typeof address === 'string' && Array.isArray(topics) && typeof data === 'string';
  return !isLog || topics.length === TRANSFER_TOPICS;
}

export type InfoWithLogs = TransactionInfo & { readonly logs: TronLogs };

/**
 * The receipt of a transaction of `block`, with the transfers that pass. Throws Refusal provider_response_invalid for
 * an answer that does not prove whether the transaction succeeded.
 */
export function receiptIn({ number, hash }: BlockPlace, info: InfoWithLogs): Receipt {
  const { logs } = info;
  logs.check();
  const succeeded = hasSucceeded(info);
  const place = { transactionHash: info.id, blockNumber: number, blockHash: hash };
  const transfers = (succeeded ? logs.transfers : []).map(transfer => placed(transfer, place));
  return { succeeded, blockNumber: number, blockHash: hash, transfers };
}

/** A transaction that moves nothing to a watched address is not judged: even a strange one hides no transfer. */
export function transfersIn(block: BlockPlace, info: InfoWithLogs): readonly ObservedTransfer[] {
  info.logs.check();
  return info.logs.transfers.length === 0 ? [] : receiptIn(block, info).transfers;
}

/**
 * A failure is told twice, beside the receipt and in it. A transaction that calls no contract has no result in its
 * receipt.
 */
function hasSucceeded({ id, result, receipt, logs }: InfoWithLogs): boolean {
  const failed = result === 'FAILED';
  if (receipt.result === undefined && logs.count === 0) return !failed;
  if (failed === (receipt.result === 'SUCCESS'))
    throw invalidResponse(METHOD, `does not say surely what became of ${id}`);
  return !failed;
}

function prefixed(hex: string): string {
  return `0x${hex.toLowerCase()}`;
}
