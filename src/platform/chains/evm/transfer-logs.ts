import { getAddress } from 'ethers';
import { BoundedMap } from '../../../kernel/bounded-map';
import type { ObservedTransfer } from '../../../kernel/ports/chain';
import { inShape, invalidResponse } from '../http-post';
import { log as logShape, type RawLog } from './rpc-shapes';

/** keccak256("Transfer(address,address,uint256)"), the same on every network. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const ADDRESS_TOPIC = /^0x0{24}([0-9a-f]{40})$/;
const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const INDEX = /^0x[0-9a-fA-F]{1,12}$/;
/** Addresses whose spelling is remembered while transfers pass one filter. */
const SPELLED_LIMIT = 10_000;

export function addressTopic(evmAddress: string): string {
  return `0x${evmAddress.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** The shown form of an address that is given by 0x and 40 lower-case hex digits. */
export type Spelling = (hex: string) => string;

/** The party of a transfer that makes it matter: its recipient, or its sender as well. */
export type Side = 'to' | 'either';

/** The transfers that matter: those of some contracts, of anyone or of some addresses. */
export class TransferFilter {
  private readonly contracts: ReadonlySet<string>;
  private readonly partyTopics: ReadonlySet<string> | null;
  private readonly spelled = new BoundedMap<string, string>(SPELLED_LIMIT);

  constructor(
    contracts: readonly string[],
    parties: readonly string[] | null,
    private readonly spelling: Spelling = getAddress,
    private readonly side: Side = 'to',
  ) {
    this.contracts = new Set(contracts.map(contract => contract.toLowerCase()));
    this.partyTopics = parties && new Set(parties.map(addressTopic));
  }

  /** Whether a log is a transfer that matters, of any value; hex of any case. */
  concerns(address: string, topics: readonly unknown[]): boolean {
    if (topics.length !== 3 || !this.contracts.has(address.toLowerCase())) return false;
    const [topic, from, to] = topics;
    if (typeof topic !== 'string' || topic.toLowerCase() !== TRANSFER_TOPIC || typeof to !== 'string') return false;
    if (this.partyTopics === null || this.isReceived(topics)) return true;
    return this.side === 'either' && typeof from === 'string' && this.partyTopics.has(from.toLowerCase());
  }

  /** Whether a transfer goes to one of the addresses. */
  isReceived([, , to]: readonly unknown[]): boolean {
    return typeof to === 'string' && this.partyTopics?.has(to.toLowerCase()) === true;
  }

  /** A checksum costs more than all other work on a log, so it is computed once for each address. */
  spell(hex: string): string {
    const known = this.spelled.get(hex);
    if (known !== undefined) return known;
    const spelled = this.spelling(hex);
    this.spelled.set(hex, spelled);
    return spelled;
  }
}

/**
 * False for a transfer of no value: anyone can make an honest contract log one in another's name. Throws Refusal
 * provider_response_invalid for a value that no ERC-20 token logs.
 */
export function movesMoney({ data }: Pick<RawLog, 'data'>, method: string): boolean {
  if (!WORD.test(data)) throw invalidResponse(method, 'has a transfer without a 32-byte value');
  return BigInt(data) > 0n;
}

/** The place of a transaction, as its receipt tells it. */
type TransactionPlace = Pick<RawLog, 'transactionHash' | 'blockNumber' | 'blockHash'>;
type LooseLog = Readonly<Record<string, unknown>>;

/**
 * The logs of one receipt, in any number. Only transfers that matter are kept. Foreign logs are checked only for their
 * place, on which the ordinals of the others depend.
 */
export class ReceiptLogs {
  count = 0;
  /** Each transfer with its log. */
  readonly transfers: { readonly log: RawLog; readonly transfer: LoggedTransfer }[] = [];
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

  /** Throws Refusal provider_response_invalid where the logs are not all logs of that transaction, in their order. */
  observed(of: TransactionPlace): readonly ObservedTransfer[] {
    if (this.fault) throw this.fault;
    const { first, method } = this;
    if (first && !isAt(first, of)) throw invalidResponse(method, 'has a log of another transaction or block');
    return this.transfers.map(({ transfer }) => placed(transfer, of));
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
    if (!movesMoney(exact, method)) return;
    this.transfers.push({ log: exact, transfer: loggedTransfer(exact, ordinal, this.filter, method) });
  }
}

/** A transfer as its log tells it, with its place among all logs of the receipt. */
export type LoggedTransfer = Omit<ObservedTransfer, 'txHash' | 'blockNumber' | 'blockHash'>;

/** The transfer of a log in lower case. Throws Refusal provider_response_invalid for a party that is no address. */
export function loggedTransfer(
  { address, topics, data }: Pick<RawLog, 'address' | 'topics' | 'data'>,
  ordinal: number,
  filter: TransferFilter,
  method: string,
): LoggedTransfer {
  const [, from = '', to = ''] = topics.map(topic => ADDRESS_TOPIC.exec(topic)?.[1]);
  if (from === '' || to === '') throw invalidResponse(method, 'has a transfer whose party is no address');
  const parties = { from: filter.spell(`0x${from}`), to: filter.spell(`0x${to}`) };
  return { ordinal, contract: filter.spell(address), ...parties, valueBaseUnits: BigInt(data) };
}

export function placed(transfer: LoggedTransfer, of: TransactionPlace): ObservedTransfer {
  const { transactionHash: txHash, blockNumber, blockHash } = of;
  return { txHash, ...transfer, blockNumber, blockHash };
}

/** Compares word for word: one node writes all logs of one receipt alike. */
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
