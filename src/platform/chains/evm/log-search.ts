import { invalidResponse } from '../http-post';
import type { Rpc } from './json-rpc';
import { SuspectedCap, type LogSpan } from './log-span';
import { logs as logsShape, toQuantity, type RawLog } from './rpc-shapes';
import { addressTopic, TRANSFER_TOPIC, TransferFilter } from './transfer-logs';

/** Recipients that nodes take in one topic list; with more, the token's whole log is read and filtered here. */
const TOPIC_LIMIT = 500;
/** Caps on the logs of one answer are multiples of this wherever one is documented. */
const CAP_UNIT_LOGS = 1_000;

type Where = { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string };

/** Where logs are asked for, and how many blocks at once it takes. */
export type LogSource = { readonly rpc: Rpc; readonly span: LogSpan };

/** Logs of the transfers of one contract to some addresses, as one provider's eth_getLogs gives them; addresses are 0x and hex. */
export class LogSearch {
  readonly filter: TransferFilter;
  private readonly recipientTopics: readonly string[];

  constructor(
    private readonly source: LogSource,
    private readonly contract: string,
    recipients: readonly string[],
  ) {
    this.filter = new TransferFilter([contract], recipients);
    this.recipientTopics = [...new Set(recipients.map(addressTopic))];
  }

  async inBlock(hash: string): Promise<readonly RawLog[]> {
    const logs = await this.logs({ blockHash: hash });
    if (logs.some(log => log.blockHash !== hash)) throw invalidResponse('eth_getLogs', 'has logs of another block');
    return logs;
  }

  /** What `prove` makes of the logs of each span from `from` to `to`, as wide as the provider takes them. */
  async inRange<T>(
    from: number,
    to: number,
    prove: (logs: readonly RawLog[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    const { span } = this.source;
    const found: T[] = [];
    for (let start = from; start <= to;) {
      const end = Math.min(start + span.blocks - 1, to);
      try {
        found.push(...(await prove(await this.between(start, end))));
        start = end + 1;
        span.grow();
      } catch (error) {
        if (!span.shrinkAfter(error, end - start + 1)) throw error;
      }
    }
    return found;
  }

  private async between(from: number, to: number): Promise<readonly RawLog[]> {
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
    const logs = await this.source.rpc.call('eth_getLogs', [query], logsShape);
    if (logs.length > 0 && logs.length % CAP_UNIT_LOGS === 0) {
      throw invalidResponse('eth_getLogs', 'may be cut off', new SuspectedCap(logs.length));
    }
    return logs.filter(log => this.filter.passes(log, 'eth_getLogs')).sort(inChainOrder);
  }
}

function inChainOrder(a: RawLog, b: RawLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}
