import { z } from 'zod';
import type { BlockReading } from '../../../kernel/ports/chain';
import { inShape, invalidResponse } from '../http-post';
import { isInvalid, joined, type BlockPlace } from '../readings';
import type { StreamingRpc } from './json-rpc';
import type { LogAccess } from './log-access';
import {
  isAboutAmount,
  isMiss,
  isWithoutLogs,
  mayBeOneBlocks,
  mayBeWidth,
  OtherBlock,
  SuspectedCap,
  type LogSpan,
} from './log-span';
import { emptied, hash, log as logShape, quantity, toQuantity, type RawLog } from './rpc-shapes';
import { addressTopic, movesMoney, TRANSFER_TOPIC, TransferFilter, type Side, type Spelling } from './transfer-logs';

/** Addresses that nodes take in one topic list; with more, the token's whole log is read and filtered here. */
const TOPIC_LIMIT = 500;
/** Caps on the logs of one answer are multiples of this number, wherever a provider documents one. */
const CAP_UNIT_LOGS = 1_000;
/** Questions for some of the addresses of one block, after which all its receipts cost less. */
const MOST_QUESTIONS_BY_HALVES = 32;
/** Blocks of a range whose logs come in a form that cannot be used. */
const MOST_STRANGE_BLOCKS = 8;
const METHOD = 'eth_getLogs';

/** One question for logs; `from` takes the transfers from the addresses that go to none of them. */
type Question = { readonly wanted: readonly unknown[]; readonly side: Side | 'from' };
type Where = { readonly blockHash: string } | { readonly from: number; readonly to: number };

/** The provider that is asked for logs, and the number of blocks that one question takes. */
type LogSource = { readonly rpc: StreamingRpc; readonly span: LogSpan; readonly access: LogAccess };

/** The logs of one transaction. Where `isWhole` is false, one of them cannot be read and the receipt decides. */
export type LoggedTransaction = {
  readonly block: BlockPlace;
  readonly txHash: string;
  readonly logs: RawLog[];
  isWhole: boolean;
};

type RangeReading = {
  /** Turns the logs of a span into a reading. */
  readonly prove: (logged: readonly LoggedTransaction[]) => Promise<BlockReading>;
  /** Reads a single block without its logs; `fault` is null where the logs were not asked for. */
  readonly alone: (height: number, fault: unknown) => Promise<BlockReading>;
};

const place = z.object({ transactionHash: hash, blockNumber: quantity, blockHash: hash });
const spot = z.object({ address: z.string(), topics: z.array(z.unknown()) });

/**
 * Logs of the transfers of one contract to some addresses, or also from them, as one provider's eth_getLogs gives them;
 * addresses are 0x and hex.
 */
export class LogSearch {
  readonly filter: TransferFilter;
  private readonly partyTopics: readonly string[];

  constructor(
    private readonly source: LogSource,
    private readonly contract: string,
    parties: readonly string[],
    spelling?: Spelling,
    private readonly side: Side = 'to',
  ) {
    this.filter = new TransferFilter([contract], parties, spelling, side);
    this.partyTopics = [...new Set(parties.map(addressTopic))];
  }

  inBlock(blockHash: string): Promise<readonly LoggedTransaction[]> {
    return this.logged({ blockHash }, this.partyTopics);
  }

  /** The same by questions for fewer addresses each. Null where those are too much too, or too many. */
  async inBlockByHalves(blockHash: string): Promise<readonly LoggedTransaction[] | null> {
    const found: LoggedTransaction[] = [];
    const waiting = halvesOf(this.partyTopics);
    if (waiting.length > MOST_QUESTIONS_BY_HALVES) return null;
    for (let asked = 0; waiting.length > 0; asked++) {
      const topics = waiting.pop() as readonly string[];
      if (asked === MOST_QUESTIONS_BY_HALVES || topics.length === 0) return null;
      try {
        found.push(...(await this.logged({ blockHash }, topics)));
      } catch (error) {
        if (!isAboutAmount(error)) throw error;
        if (topics.length === 1) return null;
        waiting.push(...halvesOf(topics));
      }
    }
    return byTransaction(found);
  }

  /** All blocks from `from` to `to`, in spans as wide as the provider takes them. */
  async inRange(from: number, to: number, { prove, alone }: RangeReading): Promise<BlockReading> {
    const { span, access } = this.source;
    const readings: BlockReading[] = [];
    // The limit around a block whose logs cannot be read; the provider's own width is not in question there.
    let most = Infinity;
    let refused = null as { readonly start: number; readonly blocks: number } | null;
    let strange = 0;
    for (let start = from; start <= to;) {
      if (!access.isOpen()) {
        readings.push(await alone(start++, null));
        continue;
      }
      const end = Math.min(start + Math.min(span.blocks, most) - 1, to);
      const asked = end - start + 1;
      try {
        readings.push(await prove(await this.logged({ from: start, to: end }, this.partyTopics)));
        if (refused?.start === start) span.limitTo(asked, refused.blocks);
        else span.grow();
        refused = null;
        most *= 2;
      } catch (error) {
        if (span.shrinkAfter(error, asked)) continue;
        if (access.isClosed) continue;
        if (asked > 1 && mayBeWidth(error)) {
          most = Math.floor(asked / 2);
          refused = { start, blocks: asked };
          continue;
        }
        if (!mayBeOneBlocks(error) || (asked > 1 && isWithoutLogs(error))) throw error;
        most = Math.max(1, Math.floor(asked / 2));
        if (asked > 1) continue;
        if (isWithoutLogs(error) && !isAboutAmount(error)) this.giveUpLogs();
        // A fault of so many blocks is the provider's own. A fault about too many logs may be made by anybody.
        if (isInvalid(error) && !isAboutAmount(error) && ++strange > MOST_STRANGE_BLOCKS) throw error;
        readings.push(await alone(start, error));
      }
      start = end + 1;
    }
    return joined(readings);
  }

  private async logged(where: Where, parties: readonly string[]): Promise<readonly LoggedTransaction[]> {
    // An empty list of topics would mean any address.
    if (parties.length === 0) return [];
    const range = 'blockHash' in where ? where : { fromBlock: toQuantity(where.from), toBlock: toQuantity(where.to) };
    const logged = new Map<string, LoggedTransaction>();
    for (const { wanted, side } of this.questions(parties)) {
      const query = { ...range, address: this.contract, topics: [TRANSFER_TOPIC, ...wanted] };
      let count = 0;
      const take = (logs: readonly unknown[]): void => {
        count += logs.length;
        for (const log of logs) this.note(log, side, where, logged);
      };
      await this.ask(query, take);
      // Logs that matter to nobody count as well, since a provider's cap counts all logs.
      if (count > 0 && count % CAP_UNIT_LOGS === 0)
        throw invalidResponse(METHOD, 'may be cut off', new SuspectedCap(count));
    }
    return byTransaction([...logged.values()]);
  }

  /** The topics behind the event's own, for each question, and the side on which its answers are taken. */
  private questions(parties: readonly string[]): readonly Question[] {
    if (parties.length > TOPIC_LIMIT) return [{ wanted: [null], side: this.side }];
    const received: Question = { wanted: [null, parties], side: 'to' };
    return this.side === 'to' ? [received] : [received, { wanted: [parties], side: 'from' }];
  }

  /** From now on receipts are read, until logs are tried again. */
  giveUpLogs(): void {
    this.source.access.close();
    this.source.span.collapse();
  }

  private async ask(query: object, take: (logs: readonly unknown[]) => void): Promise<void> {
    const { rpc, access } = this.source;
    try {
      await rpc.read(METHOD, [query], emptied, [{ path: '', take }]);
      access.found();
    } catch (error) {
      if (isMiss(error)) access.miss();
      throw error;
    }
  }

  private note(given: unknown, side: Question['side'], where: Where, logged: Map<string, LoggedTransaction>): void {
    const { address, topics } = inShape(METHOD, given, spot);
    if (!this.filter.concerns(address, topics)) return;
    // A transfer between two of the addresses is in both answers, and taken from that about recipients.
    if (side === 'from' && this.filter.isReceived(topics)) return;
    const { transactionHash: txHash, blockNumber: number, blockHash } = inShape(METHOD, given, place);
    const isAsked = 'blockHash' in where ? blockHash === where.blockHash : number >= where.from && number <= where.to;
    if (!isAsked) throw invalidResponse(METHOD, 'has logs of other blocks', new OtherBlock());
    const exact = exactly(given);
    if (exact?.moves === false) return;
    const key = `${blockHash}:${txHash}`;
    const known = logged.get(key) ?? { block: { number, hash: blockHash }, txHash, logs: [], isWhole: true };
    logged.set(key, known);
    if (exact) known.logs.push(exact.log);
    else known.isWhole = false;
  }
}

/** Null for a log that cannot be read. */
function exactly(given: unknown): { readonly log: RawLog; readonly moves: boolean } | null {
  try {
    const log = inShape(METHOD, given, logShape);
    return { log, moves: movesMoney(log, METHOD) };
  } catch (error) {
    if (!isInvalid(error)) throw error;
    return null;
  }
}

/** Each transaction once, with its logs in their order. */
function byTransaction(all: readonly LoggedTransaction[]): readonly LoggedTransaction[] {
  const merged = new Map<string, LoggedTransaction>();
  for (const one of all) {
    const key = `${one.block.hash}:${one.txHash}`;
    const known = merged.get(key) ?? { ...one, logs: [] };
    const logs = [...known.logs, ...one.logs].sort((a, b) => a.logIndex - b.logIndex);
    merged.set(key, { ...known, logs, isWhole: known.isWhole && one.isWhole });
  }
  return [...merged.values()];
}

function halvesOf(topics: readonly string[]): (readonly string[])[] {
  const size = Math.min(TOPIC_LIMIT, Math.ceil(topics.length / 2));
  const parts: (readonly string[])[] = [];
  for (let start = 0; start < topics.length; start += size) parts.push(topics.slice(start, start + size));
  return parts;
}
