import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { TRANSFER_TOPIC, addressTopic } from '../../../src/platform/chains/evm/transfer-logs';
import type { Prng } from '../../simulation/prng';

type Topics = readonly (string | readonly string[] | null)[];
type LogQuery = { blockHash?: string; fromBlock?: string; toBlock?: string; address: string; topics: Topics };
type RpcAnswer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

export type MadeTransfer = {
  readonly txHash: string;
  readonly ordinal: number;
  readonly to: string;
  readonly value: bigint;
  readonly height: number;
};

export type MadeChainOptions = {
  readonly prng: Prng;
  readonly blocks: number;
  readonly contract: string;
  readonly recipients: readonly string[];
  /**
   * A hex digit: chains with another have other blocks at the same heights, chains with the same have the same hashes.
   */
  readonly family: string;
};

const PAYER = `0x${'aa'.repeat(20)}`;
const STRANGER = `0x${'bb'.repeat(20)}`;
const LOOKALIKE = `0x${'cc'.repeat(20)}`;
/** Blocks at the end that hold no payment, so that all payments become final. */
export const QUIET_BLOCKS = 60;
const FINALITY_LAG = 2;

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: number | bigint) => value.toString(16).padStart(64, '0');

/** A chain without reorganisations, and an honest provider's answers about it. */
export class MadeChain {
  head = 0;
  readonly transfers: MadeTransfer[] = [];
  private readonly receipts = new Map<number, ReturnType<MadeChain['receipt']>[]>();
  private serial = 0;

  constructor(private readonly options: MadeChainOptions) {
    for (let height = 1; height <= options.blocks - QUIET_BLOCKS; height++) {
      if (options.prng.chance(12)) this.receipts.set(height, this.transactions(height));
    }
  }

  hashAt(height: number): string {
    return `0x${this.options.family}${word(height).slice(1)}`;
  }

  /** The answer of a provider whose head is `lag` blocks behind. */
  answer(method: string, params: readonly unknown[], lag = 0): RpcAnswer {
    const head = Math.max(0, this.head - lag);
    const [first] = params;
    switch (method) {
      case 'eth_chainId':
        return { result: '0x38' };
      case 'eth_call':
        return { result: `0x${word(18)}` };
      case 'eth_getBlockByNumber':
        return {
          result: this.block({ latest: head, finalized: head - FINALITY_LAG }[first as string] ?? Number(first), head),
        };
      case 'eth_getBlockByHash':
        return { result: this.block(this.heightOf(first as string), head) };
      case 'eth_getTransactionReceipt':
        return { result: this.all(0, head).find(({ transactionHash }) => transactionHash === first) ?? null };
      case 'eth_getBlockReceipts':
        return { result: Number(first) > head ? null : (this.receipts.get(Number(first)) ?? []) };
      case 'eth_getLogs':
        return { result: this.logs(first as LogQuery, head) };
      default:
        return { error: { code: -32_601, message: 'method not found' } };
    }
  }

  private logs({ blockHash, fromBlock, toBlock, address, topics }: LogQuery, head: number) {
    const only = blockHash === undefined ? null : this.heightOf(blockHash);
    const recipients = topics[2] as readonly string[];
    return this.all(only ?? Number(fromBlock), Math.min(only ?? Number(toBlock), head))
      .flatMap(({ logs }) => logs)
      .filter(log => log.address === address.toLowerCase() && recipients.includes(log.topics[2] ?? ''));
  }

  private all(from: number, to: number) {
    return [...this.receipts].filter(([height]) => height >= from && height <= to).flatMap(([, receipts]) => receipts);
  }

  private heightOf(hash: string): number {
    return hash[2] === this.options.family ? Number(`0x${hash.slice(3)}`) : Number.POSITIVE_INFINITY;
  }

  private block(height: number, head: number) {
    if (height < 0 || height > head) return null;
    const transactions = (this.receipts.get(height) ?? []).map(({ transactionHash }) => transactionHash);
    const parentHash = this.hashAt(height - 1 < 0 ? 0 : height - 1);
    return {
      number: hex(height),
      hash: this.hashAt(height),
      parentHash,
      timestamp: hex(1_700_000_000 + height),
      transactions,
    };
  }

  private transactions(height: number) {
    const { prng } = this.options;
    let logIndex = 0;
    return Array.from({ length: 1 + prng.below(2) }, () => {
      const receipt = this.receipt(height, logIndex);
      logIndex += receipt.logs.length;
      return receipt;
    });
  }

  /**
   * One transaction: payments among logs that are none, such as another token's, a stranger's and a transfer of
   * nothing.
   */
  private receipt(height: number, firstIndex: number) {
    const { prng, contract, recipients } = this.options;
    const transactionHash = `0x${this.options.family}${word(prng.below(2 ** 31)).slice(9)}${word(this.serial++).slice(-8)}`;
    const logs = Array.from({ length: 1 + prng.below(4) }, (_, ordinal) => {
      const kind = prng.below(5);
      const to = kind === 0 ? STRANGER : prng.pick(recipients);
      const value = kind === 1 ? 0n : BigInt(1 + prng.below(1_000_000));
      if (kind > 2 || kind === 4) this.transfers.push({ txHash: transactionHash, ordinal, to, value, height });
      return {
        address: kind === 2 ? LOOKALIKE : contract.toLowerCase(),
        topics: [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(to)],
        data: `0x${word(value)}`,
        logIndex: hex(firstIndex + ordinal),
        transactionHash,
        blockNumber: hex(height),
        blockHash: this.hashAt(height),
      };
    });
    return { transactionHash, status: '0x1', blockNumber: hex(height), blockHash: this.hashAt(height), logs };
  }
}

/** `null` to `limit` show as faults by themselves; of the last three, only another provider or another look tells. */
export const LOUD_FAULTS = ['null', 'stale', 'tooMany', 'hang', 'closed', 'garbage', 'error', 'limit'] as const;
export const FAULTS = [...LOUD_FAULTS, 'empty', 'truncated', 'forged'] as const;
export type Fault = (typeof FAULTS)[number];

export type FaultyProvider = {
  readonly chain: MadeChain;
  readonly faults: readonly Fault[];
  readonly percent: number;
  readonly chainId?: string;
};

const HANG_PERCENT = 5;

/** Takes the place of `request`: each provider answers under its own host, and fails at its own share of calls. */
export class FaultyNetwork {
  readonly met = new Map<Fault, number>();

  constructor(
    private readonly prng: Prng,
    private readonly providers: Readonly<Record<string, FaultyProvider>>,
  ) {}

  get urls(): readonly string[] {
    return Object.keys(this.providers).map(host => `http://${host}/secret-key`);
  }

  readonly request = ({ host }: URL): EventEmitter => {
    const provider = this.providers[host] as FaultyProvider;
    const asked = new EventEmitter();
    const end = (text: string): void => {
      const { method, params } = JSON.parse(text) as { method: string; params: unknown[] };
      const given = this.given(provider, method, params);
      if (given === 'nothing') return;
      if (given === 'close') return void asked.emit('close');
      const { status = 200, text: answer } = given;
      asked.emit('response', Object.assign(Readable.from([Buffer.from(answer)]), { statusCode: status, headers: {} }));
    };
    return Object.assign(asked, { end, destroy: (reason: Error) => asked.emit('error', reason) });
  };

  private given(provider: FaultyProvider, method: string, params: readonly unknown[]): Given {
    if (method === 'eth_chainId' && provider.chainId) return answered({ result: provider.chainId });
    const fault = this.prng.chance(provider.percent) ? this.pick(provider.faults) : null;
    if (fault === null) return answered(provider.chain.answer(method, params));
    this.met.set(fault, (this.met.get(fault) ?? 0) + 1);
    return this.fail(fault, provider.chain, method, params);
  }

  /** Hanging costs real time, so it comes less often than the others. */
  private pick(faults: readonly Fault[]): Fault {
    const fault = this.prng.pick(faults);
    return fault === 'hang' && !this.prng.chance(HANG_PERCENT) ? 'tooMany' : fault;
  }

  private fail(fault: Fault, chain: MadeChain, method: string, params: readonly unknown[]): Given {
    switch (fault) {
      case 'null':
        return answered({ result: null });
      case 'empty':
        return answered({ result: [] });
      case 'stale':
        return answered(chain.answer(method, params, 5 + this.prng.below(60)));
      case 'tooMany':
        return { status: 429, text: 'slow down' };
      case 'hang':
        return 'nothing';
      case 'closed':
        return 'close';
      case 'garbage':
        return { text: '<html>' };
      case 'error':
        return answered({ error: { code: -32_000, message: 'header not found' } });
      case 'limit':
        return answered({ error: { code: -32_005, message: 'limit exceeded' } });
      case 'truncated':
        return answered(truncated(chain.answer(method, params)));
      case 'forged':
        return answered(forged(chain.answer(method, params), this.prng));
    }
  }
}

/** `close`: the connection ends without an answer and without an error. */
type Given = { readonly status?: number; readonly text: string } | 'nothing' | 'close';

function answered(answer: RpcAnswer): Given {
  return { text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }) };
}

function truncated(answer: RpcAnswer): RpcAnswer {
  if (!('result' in answer) || !Array.isArray(answer.result)) return answer;
  return { result: answer.result.slice(0, Math.floor(answer.result.length / 2)) };
}

/** Another hash for a block, another value for a receipt's last log, another transaction for the last of a list. */
function forged(answer: RpcAnswer, prng: Prng): RpcAnswer {
  const fake = `0xe${word(prng.next()).slice(1)}`;
  if (!('result' in answer) || answer.result === null || typeof answer.result !== 'object') return answer;
  if (Array.isArray(answer.result)) {
    const last: unknown = answer.result.at(-1);
    return last === undefined
      ? answer
      : { result: [...(answer.result as object[]), { ...(last as object), transactionHash: fake }] };
  }
  const { result } = answer as { result: { logs?: readonly object[] } };
  if (!result.logs) return { result: { ...result, hash: fake } };
  return { result: { ...result, logs: result.logs.map(log => ({ ...log, data: `0x${word(prng.next())}` })) } };
}
