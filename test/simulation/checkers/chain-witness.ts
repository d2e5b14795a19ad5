import { MINUTE_MS, parseIsoTime } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import { NETWORKS, type FinalityTier, type NetworkId } from '../../../src/kernel/tokens';
import type { ChainOutside, Moment } from '../outside';

type Held = { readonly txHash: string; blockNumber: number; blockHash: string; isFinal: boolean };
type Watched = {
  readonly network: NetworkId;
  readonly tier: FinalityTier;
  readonly quotedMs: number;
  readonly endMs: number;
  readonly held: Map<string, Held>;
};
type Data = Readonly<Record<string, string>>;

/** The chain may move between a question and what is written of its answer, but never so long before, and never before all had come to rest twice. */
const IN_FLIGHT_MS = MINUTE_MS;
const IN_FLIGHT_PASSES = 2;

/** Compares what is written of a chain with the chain itself, at the moment at which it is written. */
export class ChainWitness {
  readonly found: string[] = [];
  private readonly payments = new Map<string, Watched>();

  constructor(
    private readonly chains: readonly ChainOutside[],
    private readonly now: () => Moment,
  ) {}

  async saw({ stream, type, data, metadata }: RecordedEvent): Promise<void> {
    if (!stream.includes('.payment_intent-')) return;
    const facts = data as Data;
    if (type === 'MethodSelected') {
      const { network_id: network, finality_tier: tier, quoted_at, quote_expires_at } = facts;
      const span = { quotedMs: parseIsoTime(quoted_at as string), endMs: parseIsoTime(quote_expires_at as string) };
      const names = { network: network as NetworkId, tier: tier as FinalityTier };
      this.payments.set(stream, { ...names, ...span, held: new Map() });
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
        return this.judgeExpiry(`${stream}: ${type}`, payment, outside);
    }
  }

  private chainOf({ network, tier }: Watched, mode: 'test' | 'live') {
    const outside = this.chains.find(chain => chain.network === network) as ChainOutside;
    return { outside, rule: NETWORKS[network].finality[mode][tier] };
  }

  private judgeDepth(
    where: string,
    { blockNumber }: Held,
    { chain }: ChainOutside,
    rule: (typeof NETWORKS)[NetworkId]['finality']['test']['standard'],
  ): void {
    const depth = chain.height - blockNumber;
    if (depth < rule.confirmations) this.found.push(`${where} ${depth} deep, not ${rule.confirmations}`);
    const isFinalized = blockNumber <= chain.height - chain.finalityLag;
    const isDeepEnough = rule.confirmationsUnfinalized !== null && depth >= rule.confirmationsUnfinalized;
    // A chain may finalize less again; what was final once stays final.
    if (rule.finalized && !isFinalized && !isDeepEnough && chain.finalityLag < depth)
      this.found.push(`${where} ${depth} deep, which is not final`);
  }

  private judgeBlock(where: string, { txHash, blockHash }: Held, { chain, left }: ChainOutside): void {
    if (chain.blockOf(txHash)?.hash === blockHash) return;
    const since = left.get(blockHash);
    if (since && this.isInFlight(since)) return;
    this.found.push(`${where} of ${txHash}, which does not stand in ${blockHash.slice(0, 10)}`);
  }

  /** The chain has come past the quote's end, and nothing before it is unread, or read by one provider alone that left transfers out. */
  private async judgeExpiry(where: string, payment: Watched, outside: ChainOutside): Promise<void> {
    const { chain, scanned, newest } = outside;
    const head = await chain.head();
    if (head.timeMs <= payment.endMs) this.found.push(`${where} before the chain had come to the quote's end`);
    for (let block = head; block.number > 0 && block.timeMs >= payment.quotedMs;) {
      const { number, hash, timeMs } = block;
      const isRead =
        scanned.hashes.has(hash) ||
        scanned.ranges.some(({ from_number: from, to_number: to }) => from <= number && number <= to);
      const isNew = newest !== null && number >= newest.from && this.isInFlight(newest);
      if (timeMs <= payment.endMs && !isRead && !isNew) {
        this.found.push(`${where} though nobody had read block ${number}`);
        return;
      }
      block = (await chain.blockAt(number - 1)) ?? { ...block, number: 0 };
    }
  }

  private isInFlight(since: Moment): boolean {
    const { timeMs, pass } = this.now();
    return timeMs - since.timeMs <= IN_FLIGHT_MS || pass - since.pass <= IN_FLIGHT_PASSES;
  }
}
