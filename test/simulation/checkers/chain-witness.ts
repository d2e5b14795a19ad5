import { MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { NetworkId } from '../../../src/vocabulary/networks';
import type { ChainView } from '../chain-view';
import type { ChainOutside, Moment } from '../outside';
import { ruleOf, type Rule, type Tier } from './by-the-book';
import { tierByTheBook } from './quote-checks';

type Held = { readonly txHash: string; blockNumber: number; blockHash: string; isFinal: boolean };
type Watched = {
  readonly network: NetworkId;
  readonly tier: Tier;
  readonly quotedMs: number;
  readonly endMs: number;
  readonly held: Map<string, Held>;
};
type Data = Readonly<Record<string, string>>;

/**
 * The chain may move between a question and the record of its answer. A record is at fault when the chain had moved
 * longer before, and all had come to rest twice since.
 */
const IN_FLIGHT_MS = MINUTE_MS;
const IN_FLIGHT_PASSES = 2;

/** Compares the records of a chain with the chain itself, at the moment at which they are written. */
export class ChainWitness {
  readonly found: string[] = [];
  /** The chain as a payment's quote was ended, by the payment's stream; null where it had moved just then. */
  readonly atExpiry = new Map<string, ChainView | null>();
  private readonly orders = new Map<string, Data>();
  private readonly payments = new Map<string, Watched>();

  constructor(
    private readonly chains: readonly ChainOutside[],
    private readonly now: () => Moment,
  ) {}

  saw({ stream, type, data, metadata }: RecordedEvent): void {
    if (!stream.includes('.payment_intent-')) return;
    const facts = data as Data;
    if (type === 'PaymentIntentCreated') this.orders.set(stream, facts);
    const order = this.orders.get(stream);
    if (type === 'MethodSelected' && order) {
      const { network_id: network, quoted_at, quote_expires_at } = facts;
      const span = { quotedMs: parseIsoTime(quoted_at as string), endMs: parseIsoTime(quote_expires_at as string) };
      const tier = tierByTheBook(order.amount_minor_units as string, order.currency as string, data);
      this.payments.set(stream, { network: network as NetworkId, tier, ...span, held: new Map() });
    }
    const payment = this.payments.get(stream);
    if (!payment) return;
    const { outside, rule } = this.chainOf(payment, metadata.mode as 'test' | 'live');
    const id = facts.transfer_id as string;
    const transfer = payment.held.get(id);
    switch (type) {
      case 'TransferDetected':
      case 'TransferMoved': {
        const block = { blockNumber: Number(facts.block_number), blockHash: facts.block_hash as string };
        const isFinal = type === 'TransferMoved' && transfer?.isFinal === true;
        payment.held.set(id, { txHash: transfer?.txHash ?? (facts.tx_hash as string), ...block, isFinal });
        return;
      }
      case 'TransferDropped':
      case 'PaymentFailed':
      case 'SettledTransferLost':
        payment.held.delete(id);
        return;
      case 'DepthReached':
      case 'RemainderCredited':
      case 'PaidLate':
        if (!transfer) return void this.found.push(`${stream}: ${type} of ${id}, which it has not got`);
        transfer.isFinal = true;
        this.judgeDepth(`${stream}: ${type}`, transfer, outside, rule);
        if (rule.secondReceipt && outside.outOfStep && !this.isInFlight(outside.outOfStep))
          this.found.push(`${stream}: ${type} of a large quote, which one provider alone has seen`);
        return this.judgeBlock(`${stream}: ${type}`, transfer, outside);
      case 'PaymentConfirmed':
      case 'PaymentOverpaid':
      case 'PaymentUnderpaid':
        for (const held of payment.held.values()) {
          if (held.isFinal) this.judgeBlock(`${stream}: ${type}`, held, outside);
        }
        return;
      case 'QuoteExpired':
        this.atExpiry.set(stream, this.isMoving(outside) ? null : outside.chain.snapshot());
        return this.judgeExpiry(`${stream}: ${type}`, payment, outside);
    }
  }

  private chainOf({ network, tier }: Watched, mode: 'test' | 'live') {
    const outside = this.chains.find(chain => chain.network === network) as ChainOutside;
    return { outside, rule: ruleOf(mode, network, tier) };
  }

  private judgeDepth(where: string, { blockNumber }: Held, { chain }: ChainOutside, rule: Rule): void {
    const depth = chain.height - blockNumber;
    if (depth < rule.confirmations) this.found.push(`${where} ${depth} deep, not ${rule.confirmations}`);
    const isFinalized = blockNumber <= chain.height - chain.finalityLag;
    const isDeepEnough = rule.unfinalized !== null && depth >= rule.unfinalized;
    // A chain may finalize less again; a block that was final once stays final.
    if (rule.finalized && !isFinalized && !isDeepEnough && chain.finalityLag < depth)
      this.found.push(`${where} ${depth} deep, which is not final`);
  }

  private judgeBlock(where: string, { txHash, blockHash }: Held, { chain, left }: ChainOutside): void {
    if (chain.now.blockOf(txHash)?.hash === blockHash) return;
    const since = left.get(blockHash);
    if (since && this.isInFlight(since)) return;
    this.found.push(`${where} of ${txHash}, which does not stand in ${blockHash.slice(0, 10)}`);
  }

  /**
   * The chain has come past the quote's end, and nothing before it is unread, or read by one provider alone that left
   * transfers out.
   */
  private judgeExpiry(where: string, payment: Watched, { chain, scanned, reorganisations }: ChainOutside): void {
    const { now } = chain;
    const moving = reorganisations.filter(moment => this.isInFlight(moment));
    if (now.head.timeMs <= payment.endMs) this.found.push(`${where} before the chain had come to the quote's end`);
    for (const { header } of [...now.blocks].reverse()) {
      const { number, hash, timeMs } = header;
      if (number === 0 || timeMs < payment.quotedMs) return;
      const isNew = moving.some(({ from }) => number >= from);
      if (timeMs <= payment.endMs && !scanned.has(hash) && !isNew) {
        this.found.push(`${where} though nobody had read block ${number}`);
        return;
      }
    }
  }

  private isMoving({ reorganisations }: ChainOutside): boolean {
    return reorganisations.some(moment => this.isInFlight(moment));
  }

  private isInFlight(since: Moment): boolean {
    const { timeMs, pass } = this.now();
    return timeMs - since.timeMs <= IN_FLIGHT_MS || pass - since.pass <= IN_FLIGHT_PASSES;
  }
}
