import { BoundedMap } from '../kernel/bounded-map';
import { finalHeight, isReinclusionOver } from '../vocabulary/finality';
import type { Mode } from '../vocabulary/modes';
import type { Chain, Receipt } from '../kernel/ports/chain';
import { TOKENS } from '../vocabulary/tokens';
import { NETWORKS, type FinalityRule, type NetworkId } from '../vocabulary/networks';
import type { FailureReason, Quote } from '../modules/payment-intents/payment-intent.events';
import type { LedgerTransfer } from '../modules/payment-intents/payment-intent.state';
import type { ChainView } from './chain-view';

/** Missing transactions that are remembered; the oldest is forgotten first, and its window begins anew. */
const MISSED_LIMIT = 10_000;

/**
 * Receipts that are remembered while payments are looked at once: beyond these the same transaction is asked for again.
 */
const RECEIPTS_LIMIT = 1_000;

type Receipts = BoundedMap<string, Promise<Receipt | null>>;

/** `missing`: not at its place, and not given up yet. `elsewhere`: in another block, unchanged. */
type Standing = 'standing' | 'elsewhere' | 'missing' | FailureReason;

/** The chain's answers about transfers that were seen on it. */
export class TransferChecks {
  /** Height of the head at which a transaction was first missed, by transfer and the block in which it stood. */
  private readonly missedAt = new BoundedMap<string, number>(MISSED_LIMIT);
  /** One transaction may hold as many transfers as a block, and be as large as one: each look asks for it once. */
  private readonly receipts = new WeakMap<ChainView, Receipts>();

  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly chain: Chain,
  ) {}

  /**
   * A transaction may come back within the network's window. A transaction whose execution failed or changed may come
   * back too. So its fault counts only once it is as deep as a transfer must be. The scan may have seen a transaction
   * that came back unchanged, before its replaced place was recorded.
   */
  async standingOf(quote: Quote, transfer: LedgerTransfer, view: ChainView): Promise<Standing> {
    const { transfer_id: id, block_number: number, block_hash: hash } = transfer;
    const place = `${id} ${hash}`;
    if (number <= view.head.number && (await view.hashAt(number)) === hash) {
      this.missedAt.delete(place);
      return 'standing';
    }
    const receipt = await this.receipt(transfer.tx_hash, view);
    if (receipt === null) {
      if (!isReinclusionOver(NETWORKS[this.network], this.noteMissed(place, view.head.number), view)) return 'missing';
      const agreedHash = await view.agreedHash(number);
      // One provider that is behind, or on a fork, takes nothing away.
      return agreedHash === null || agreedHash === hash ? 'missing' : 'reorged_out';
    }
    this.missedAt.delete(place);
    const fault = this.faultOf(quote, transfer, receipt);
    if (fault === null) return receipt.blockHash === hash ? 'missing' : 'elsewhere';
    return receipt.blockNumber <= finalHeight(this.ruleOf(quote), view) ? fault : 'missing';
  }

  /** True where the transfer counts; false where it does not yet; a reason where it never will. */
  async finality(quote: Quote, transfer: LedgerTransfer, view: ChainView): Promise<boolean | FailureReason> {
    const { block_number: number, block_hash: hash, tx_hash: txHash } = transfer;
    const rule = this.ruleOf(quote);
    if (number > finalHeight(rule, view.scanned) || (await view.agreedHash(number)) !== hash) return false;
    const receipt = await this.receipt(txHash, view);
    if (receipt?.blockHash !== hash) return false;
    const fault = this.faultOf(quote, transfer, receipt);
    if (fault !== null || !rule.secondReceipt) return fault ?? true;
    const second = await this.once(`second ${txHash}`, view, () => this.chain.secondReceipt(txHash));
    return second?.blockHash === hash && this.faultOf(quote, transfer, second) === null;
  }

  private receipt(txHash: string, view: ChainView): Promise<Receipt | null> {
    return this.once(txHash, view, () => this.chain.receipt(txHash));
  }

  private once(key: string, view: ChainView, ask: () => Promise<Receipt | null>): Promise<Receipt | null> {
    const known: Receipts = this.receipts.get(view) ?? new BoundedMap(RECEIPTS_LIMIT);
    this.receipts.set(view, known);
    const receipt = known.get(key) ?? ask();
    known.set(key, receipt);
    return receipt;
  }

  private ruleOf(quote: Quote): FinalityRule {
    const rule = NETWORKS[this.network].finality[this.mode][quote.finality_tier];
    return { ...rule, confirmations: quote.required_confirmations };
  }

  private noteMissed(place: string, headNumber: number): number {
    const known = this.missedAt.get(place);
    if (known !== undefined) return known;
    this.missedAt.set(place, headNumber);
    return headNumber;
  }

  /** The receipt's contradiction to the seen transfer; null when the receipt bears the transfer out. */
  private faultOf({ token_id, address }: Quote, transfer: LedgerTransfer, receipt: Receipt): FailureReason | null {
    if (!receipt.succeeded) return 'reverted';
    const logged = receipt.transfers.find(({ ordinal }) => ordinal === transfer.ordinal);
    const isBorneOut =
      logged !== undefined &&
      logged.valueBaseUnits.toString() === transfer.value_base_units &&
      logged.to === address &&
      logged.from === transfer.from &&
      logged.contract === TOKENS[token_id].contract[this.mode];
    return isBorneOut ? null : 'verification_failed';
  }
}
