import { getAddress } from 'ethers';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { inShape, invalidResponse } from '../http-post';
import { log as logShape, type RawLog } from './rpc-shapes';

/** keccak256("Transfer(address,address,uint256)"), the same on every network. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const ADDRESS_TOPIC = /^0x0{24}([0-9a-f]{40})$/;
const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const INDEX = /^0x[0-9a-fA-F]{1,12}$/;

export function addressTopic(evmAddress: string): string {
  return `0x${evmAddress.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Which transfers matter: those of some contracts, to anyone or to some addresses. */
export class TransferFilter {
  private readonly contracts: ReadonlySet<string>;
  private readonly recipientTopics: ReadonlySet<string> | null;

  constructor(contracts: readonly string[], recipients: readonly string[] | null) {
    this.contracts = new Set(contracts.map(contract => contract.toLowerCase()));
    this.recipientTopics = recipients && new Set(recipients.map(addressTopic));
  }

  /** Whether a log is one of them, of whatever value; hex of any case. */
  concerns(address: string, topics: readonly unknown[]): boolean {
    if (topics.length !== 3 || !this.contracts.has(address.toLowerCase())) return false;
    const [topic, , to] = topics;
    if (typeof topic !== 'string' || topic.toLowerCase() !== TRANSFER_TOPIC || typeof to !== 'string') return false;
    return this.recipientTopics?.has(to.toLowerCase()) !== false;
  }
}

/**
 * False for a transfer of nothing: anyone can make an honest contract log one in another's name. Throws Refusal
 * provider_response_invalid for a value that no ERC-20 token logs.
 */
export function movesMoney({ data }: Pick<RawLog, 'data'>, method: string): boolean {
  if (!WORD.test(data)) throw invalidResponse(method, 'has a transfer without a 32-byte value');
  return BigInt(data) > 0n;
}

/** Of a transaction as its receipt tells it. */
export type TransactionPlace = Pick<RawLog, 'transactionHash' | 'blockNumber' | 'blockHash'>;
type LooseLog = Readonly<Record<string, unknown>>;

/**
 * The logs of one receipt, as many as there are. Only transfers that matter are kept; of foreign logs only the place
 * is checked, on which the ordinals of the others depend.
 */
export class ReceiptLogs {
  count = 0;
  /** Each with the place of its log among all logs of the receipt. */
  readonly transfers: { readonly log: RawLog; readonly ordinal: number }[] = [];
  private first: LooseLog | null = null;
  private firstIndex = 0;
  private fault: Error | null = null;

  constructor(
    private readonly filter: TransferFilter,
    private readonly method = 'eth_getTransactionReceipt',
  ) {}

  readonly take = (logs: readonly unknown[]): void => {
    for (const log of logs) this.add(log);
  };

  /** Throws Refusal provider_response_invalid where the logs are not all of that transaction's, in their order. */
  observed(of: TransactionPlace): readonly ObservedTransfer[] {
    if (this.fault) throw this.fault;
    const { first, method } = this;
    if (first && !isAt(first, of)) throw invalidResponse(method, 'has a log of another transaction or block');
    return this.transfers.map(({ log, ordinal }) => observedTransfer(log, ordinal, of, method));
  }

  private add(given: unknown): void {
    const ordinal = this.count++;
    if (this.fault) return;
    try {
      this.look(given, ordinal);
    } catch (error) {
      this.fault = error as Error;
    }
  }

  private look(given: unknown, ordinal: number): void {
    const { method } = this;
    if (typeof given !== 'object' || given === null) throw invalidResponse(method, 'has a log that is none');
    const log = given as LooseLog;
    const { address, topics, logIndex } = log;
    if (typeof logIndex !== 'string' || !INDEX.test(logIndex))
      throw invalidResponse(method, 'has a log without a place');
    if (this.first === null) {
      this.first = log;
      this.firstIndex = Number(logIndex);
    } else if (!isBeside(log, this.first)) throw invalidResponse(method, 'has logs of several transactions');
    // A receipt with logs left out or out of order would shift every ordinal, and with it the identity of a transfer.
    if (Number(logIndex) !== this.firstIndex + ordinal)
      throw invalidResponse(method, 'has logs missing or out of order');
    if (typeof address !== 'string' || !ADDRESS.test(address) || !Array.isArray(topics))
      throw invalidResponse(method, 'has a log of no contract');
    if (!this.filter.concerns(address, topics)) return;
    const exact = inShape(method, log, logShape);
    if (movesMoney(exact, method)) this.transfers.push({ log: exact, ordinal });
  }
}

export function observedTransfer(
  { address, topics, data }: Pick<RawLog, 'address' | 'topics' | 'data'>,
  ordinal: number,
  { transactionHash: txHash, blockNumber, blockHash }: TransactionPlace,
  method: string,
): ObservedTransfer {
  const [, from = '', to = ''] = topics;
  const parties = { from: addressOf(from, method), to: addressOf(to, method) };
  const valueBaseUnits = BigInt(data);
  return { txHash, ordinal, contract: getAddress(address), ...parties, valueBaseUnits, blockNumber, blockHash };
}

/** Word for word, as one node writes all logs of one receipt. */
function isBeside(log: LooseLog, other: LooseLog): boolean {
  return (
    log.transactionHash === other.transactionHash &&
    log.blockHash === other.blockHash &&
    log.blockNumber === other.blockNumber
  );
}

function isAt({ transactionHash, blockHash, blockNumber }: LooseLog, place: TransactionPlace): boolean {
  return (
    String(transactionHash).toLowerCase() === place.transactionHash &&
    String(blockHash).toLowerCase() === place.blockHash &&
    Number(blockNumber) === place.blockNumber
  );
}

function addressOf(topic: string, method: string): string {
  const digits = ADDRESS_TOPIC.exec(topic)?.[1];
  if (digits === undefined) throw invalidResponse(method, 'has a transfer whose party is no address');
  return getAddress(`0x${digits}`);
}
