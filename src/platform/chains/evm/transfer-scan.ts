import { refuse } from '../../../kernel/errors';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { blockByNumber, hasBlock, receiptOf } from './evm-queries';
import { invalidResponse } from './json-rpc';
import type { Provider } from './provider-pool';
import { logs as logsShape, toQuantity, type RawLog } from './rpc-shapes';
import { addressTopic, TRANSFER_TOPIC, TransferFilter, transfersOf } from './transfer-logs';

/** Recipients that nodes take in one topic list; with more, the token's whole log is read and filtered here. */
const TOPIC_LIMIT = 500;
const RECEIPT_CONCURRENCY = 8;

type Where = { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string };

/** Finds the transfers of one contract to some addresses by one provider's logs, and proves each by its transaction's receipt. */
export class TransferScan {
  private readonly filter: TransferFilter;
  private readonly recipientTopics: readonly string[];

  constructor(
    private readonly provider: Provider,
    private readonly contract: string,
    recipients: readonly string[],
  ) {
    this.filter = new TransferFilter([contract], recipients);
    this.recipientTopics = [...new Set(recipients.map(addressTopic))];
  }

  async inBlock(hash: string): Promise<readonly ObservedTransfer[]> {
    const logs = await this.logs({ blockHash: hash });
    if (logs.some(log => log.blockHash !== hash)) throw invalidResponse('eth_getLogs', 'has logs of another block');
    // Some nodes answer for a block that they have not got as they do for an empty one.
    if (logs.length === 0 && !(await hasBlock(this.provider, hash))) throw this.missing(hash);
    return this.prove(logs);
  }

  async inRange(from: number, to: number): Promise<readonly ObservedTransfer[]> {
    // A node that is behind answers for blocks it has yet to see as it does for empty ones.
    if (!(await blockByNumber(this.provider, to))) throw this.missing(to);
    const { span } = this.provider;
    const found: ObservedTransfer[] = [];
    for (let start = from; start <= to;) {
      const end = Math.min(start + span.blocks - 1, to);
      try {
        found.push(...(await this.prove(await this.logsBetween(start, end))));
        start = end + 1;
        span.grow();
      } catch (error) {
        if (!span.shrinkAfter(error)) throw error;
      }
    }
    return found;
  }

  private async logsBetween(from: number, to: number): Promise<readonly RawLog[]> {
    const logs = await this.logs({ fromBlock: toQuantity(from), toBlock: toQuantity(to) });
    const isOutside = ({ blockNumber }: RawLog) => blockNumber < from || blockNumber > to;
    if (logs.some(isOutside)) throw invalidResponse('eth_getLogs', 'has logs of other blocks');
    return logs;
  }

  private async logs(where: Where): Promise<readonly RawLog[]> {
    // An empty list of topics would mean any recipient.
    if (this.recipientTopics.length === 0) return [];
    const recipients = this.recipientTopics.length > TOPIC_LIMIT ? [] : [this.recipientTopics];
    const query = { ...where, address: this.contract, topics: [TRANSFER_TOPIC, null, ...recipients] };
    const logs = await this.provider.rpc.call('eth_getLogs', [query], logsShape);
    return logs.filter(log => this.filter.passes(log, 'eth_getLogs'));
  }

  /** Transfers as the receipts have them: a log alone does not tell its place in the receipt. */
  private async prove(logs: readonly RawLog[]): Promise<readonly ObservedTransfer[]> {
    const byTransaction = groupByTransaction(logs);
    const proven: ObservedTransfer[] = [];
    for (let i = 0; i < byTransaction.length; i += RECEIPT_CONCURRENCY) {
      const batch = byTransaction.slice(i, i + RECEIPT_CONCURRENCY);
      const transfers = await Promise.all(batch.map(ofOneTransaction => this.proveTransaction(ofOneTransaction)));
      proven.push(...transfers.flat());
    }
    return proven;
  }

  private async proveTransaction(logs: readonly RawLog[]): Promise<readonly ObservedTransfer[]> {
    const { transactionHash, blockHash } = logs[0] as RawLog;
    const receipt = await receiptOf(this.provider, transactionHash);
    const method = 'eth_getTransactionReceipt';
    if (!receipt) throw invalidResponse(method, `knows nothing of ${transactionHash}, whose logs were given`);
    if (receipt.status !== 1) throw invalidResponse(method, `calls ${transactionHash} failed, yet its logs were given`);
    if (receipt.blockHash !== blockHash) throw invalidResponse(method, `has ${transactionHash} in another block`);
    const transfers = transfersOf(receipt, this.filter);
    if (transfers.length !== logs.length)
      throw invalidResponse(method, `disagrees with the logs of ${transactionHash}`);
    return transfers;
  }

  private missing(block: string | number) {
    return refuse('provider_unavailable', { message: `${this.provider.name} has not got block ${block}.` });
  }
}

function groupByTransaction(logs: readonly RawLog[]): readonly (readonly RawLog[])[] {
  const groups = new Map<string, RawLog[]>();
  for (const log of logs) {
    const group = groups.get(log.transactionHash);
    if (group) group.push(log);
    else groups.set(log.transactionHash, [log]);
  }
  return [...groups.values()];
}
