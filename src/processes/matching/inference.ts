import { isoTime, parseIsoTime, SECOND_MS } from '../../kernel/clock';
import type { LogPosition } from '../../kernel/log-position';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import { START_OF_LOG } from '../../kernel/ports/event-store';
import { ReadModelBeingBuilt, type ReadModels } from '../../kernel/ports/read-models';
import { outageOf } from '../../kernel/outage';
import { isRefusal } from '../../vocabulary/errors';
import { invariant } from '../../kernel/invariant';
import { amountGridId, amountSlotId } from '../../modules/amount-slots/amount-slot.decider';
import {
  amountKey,
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../../modules/payment-intents/payment-intents.read-model';
import { standingOf } from '../../modules/payment-intents/payment-intent.standing';
import { QUOTE_TTL_MS } from '../../modules/payment-intents/quote-times';
import { slotOfAmount } from '../../modules/quotes/amount-grid';
import type { InferenceEvidence, InferenceFacts, PaymentThere } from '../../modules/transfers/inference-facts';
import {
  judgeInference,
  LAST_DAY_MS,
  LAST_MONTH_MS,
  OTHERS_AHEAD_MS,
  rangeOfLastDay,
  rangeOfLastMonth,
  type AmountRange,
} from '../../modules/transfers/inferred-credit';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { daysOf, quotedIn, scope, UNREAD, type Place, type Span } from './ranking-ground';
import type { IndexWait } from './index-wait';
import { JudgementWaits } from './judgement-waits';

/** Payments of one span that a look reads; a fuller span refuses the inference. */
export const CROWD_LIMIT = 200;
/** Wallets of one address that are read: a second merchant there refuses the inference. */
const WALLETS_READ = 2;
/** An index that was behind is not waited for again within this time. */
const BEHIND_FOR_MS = 5 * SECOND_MS;

/** A transfer that met no reservation, in the reading that coverage counts. */
type Unreserved = {
  readonly place: Place;
  readonly transferId: string;
  readonly valueBaseUnits: bigint;
  /** The wall's moment at which a reservation would have had to be open. */
  readonly paidAtMs: number;
  readonly blockHash: string;
  /** Throws where a block up to this one, or a transfer on the amount slot in one of them, is not read yet. */
  readonly requireGapless: (slotId: string | null) => Promise<void>;
};

type InferredCredit = {
  readonly paymentIntent: string;
  readonly merchantId: string;
  readonly evidence: InferenceEvidence;
};

type Asked = Pick<Unreserved, 'place' | 'transferId' | 'valueBaseUnits' | 'paidAtMs' | 'blockHash'>;

type Found = Map<string, Document<PaymentIntentDocument>>;

/** The part of the facts that every transfer to an address at one moment shares. `found`: the quotes open then. */
type OpenPayments = {
  readonly merchants: readonly string[];
  readonly merchantId: string;
  readonly aheadMs: number;
  readonly found: Found;
  readonly isCrowded: boolean;
};

/** Reads a part of the index once for all transfers of one reading of the chain. */
type Remember = <T>(key: string, read: () => Promise<T>) => Promise<T>;

/** Decides whether a transfer that met no reservation is credited to a payment by inference. */
export class Inference {
  /** Moment up to which the index counts as behind, in milliseconds of the wall's clock. */
  private behindUntilMs = -Infinity;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: MerchantClocks,
    private readonly index: IndexWait,
  ) {}

  /**
   * Whether the transfer may be credited to a payment that was open then, as the index stands. True also while the
   * index is being built. Strangers can send any number of transfers: those of one reading share what is read.
   */
  async isLikely(asked: Asked, remember: Remember): Promise<boolean> {
    const { mode, token, address } = asked.place;
    const key = ['open', mode, token.id, address, asked.paidAtMs].join(' ');
    try {
      const open = await remember(key, () => this.findOpen(asked));
      return open !== null && mayBeMeant(asked, open, START_OF_LOG) !== null;
    } catch (error) {
      if (error instanceof ReadModelBeingBuilt) return true;
      throw error;
    }
  }

  /**
   * Null where the transfer is to go to the queue. The first look goes by the index as it stands, and most transfers
   * need no other one. An index that is behind holds up none of those. Throws JudgementWaits.
   */
  async judge(unreserved: Unreserved): Promise<InferredCredit | null> {
    if (!(await this.isLikely(unreserved, (_, read) => read()))) return null;
    const head = await this.reachHead();
    if (head === null) throw indexBehind(unreserved);
    const credit = await this.look(unreserved, head).catch((error: unknown) => {
      throw error instanceof ReadModelBeingBuilt ? indexBehind(unreserved) : error;
    });
    if (credit === null) return null;
    const slotId = dueSlotOf(unreserved, credit);
    try {
      await unreserved.requireGapless(slotId);
    } catch (error) {
      if (outageOf(error) !== null || !(error instanceof Error)) throw error;
      throw new JudgementWaits(error.name, slotId);
    }
    return credit;
  }

  /**
   * The log's head, read after the sighting and after the credits before this one, once the index holds it. Null where
   * that takes too long. The scan waits meanwhile, so others do not wait for the same once more.
   */
  private async reachHead(): Promise<LogPosition | null> {
    if (this.clock.now() < this.behindUntilMs) return null;
    try {
      return await this.index.reachHead([paymentIntentsReadModel, walletsReadModel]);
    } catch (error) {
      // An index is no provider: the scan goes on meanwhile.
      if (!isRefusal(error, 'provider_unavailable')) throw error;
      this.behindUntilMs = this.clock.now() + BEHIND_FOR_MS;
      return null;
    }
  }

  /** `position`: the log's head that the index has reached. */
  private async look(unreserved: Unreserved, position: LogPosition): Promise<InferredCredit | null> {
    const { place, paidAtMs, valueBaseUnits } = unreserved;
    const open = await this.findOpen(unreserved);
    const facts = open && mayBeMeant(unreserved, open, position);
    if (open === null || facts === null) return null;
    const { found, aheadMs, merchantId } = open;
    const untilMs = paidAtMs + aheadMs + OTHERS_AHEAD_MS;
    const lastDay = { fromMs: untilMs - OTHERS_AHEAD_MS - LAST_DAY_MS - QUOTE_TTL_MS, toMs: untilMs };
    const isDayCrowded = await this.addAsking(place, lastDay, rangeOfLastDay(valueBaseUnits), found);
    const near = rangeOfLastMonth(facts(isDayCrowded));
    if (near === null) return null;
    const lastMonth = { fromMs: untilMs - OTHERS_AHEAD_MS - LAST_MONTH_MS, toMs: untilMs };
    const judged = judgeInference(facts(await this.addAsking(place, lastMonth, near, found)));
    if (judged.verdict === 'queue') return null;
    return { paymentIntent: judged.paymentIntent, merchantId, evidence: judged.evidence };
  }

  /** Null where no merchant, or more than one, has a wallet there. */
  private async findOpen({ place, paidAtMs }: Asked): Promise<OpenPayments | null> {
    const merchants = await this.merchantsAt(place);
    const [merchantId] = merchants;
    if (merchantId === undefined || merchants.length > 1) return null;
    const aheadMs = (await this.clock.merchantTimeAt(place.mode, merchantId, paidAtMs)) - paidAtMs;
    const found: Found = new Map();
    const isCrowded = await this.addOpen(place, paidAtMs + aheadMs, found);
    return { merchants, merchantId, aheadMs, found, isCrowded };
  }

  private async merchantsAt({ mode, token, address }: Place): Promise<readonly string[]> {
    const equals = { mode, network_id: token.network, status: 'verified', address };
    const page = await this.readModels.list(walletsReadModel, { index: 'by_network', equals, limit: WALLETS_READ });
    return [...new Set(page.map(({ body }) => body.merchant_id))];
  }

  /** Adds the payments whose quote was open at the moment, by their merchant's clock. True where they are too many. */
  private addOpen(place: Place, paidAt: number, found: Found): Promise<boolean> {
    const range = { from: isoTime(paidAt - QUOTE_TTL_MS), to: isoTime(paidAt) };
    return this.add({ index: 'by_quote', equals: scope(place), range, limit: CROWD_LIMIT }, found);
  }

  /** Adds the payments of a span that ask, or asked, for an amount of the range. True where a page was full. */
  private async addAsking(place: Place, span: Span, { from, to }: AmountRange, found: Found): Promise<boolean> {
    const range = { from: amountKey(from), to: amountKey(to) };
    const limit = CROWD_LIMIT;
    let isFull = false;
    for (const day of daysOf(span)) {
      const due = { index: 'by_due', equals: { ...scope(place), quoted_day: day }, range, limit };
      const remainder = { index: 'by_remainder', equals: { ...scope(place), remainder_day: day }, range, limit };
      for (const query of [due, remainder]) isFull = (await this.add(query, found)) || isFull;
    }
    return isFull;
  }

  private async add(query: ListQuery & { readonly limit: number }, found: Found): Promise<boolean> {
    const page = await this.readModels.list(paymentIntentsReadModel, { ...query, omit: UNREAD });
    for (const document of page) found.set(document.id, document);
    return page.length === query.limit;
  }
}

/** The facts as they stand whenever they are asked for; null where the open payments refuse the credit already. */
function mayBeMeant(asked: Asked, { merchants, aheadMs, found, isCrowded }: OpenPayments, position: LogPosition) {
  const { place, paidAtMs, valueBaseUnits, blockHash, transferId } = asked;
  const facts = (isFull: boolean): InferenceFacts => ({
    token: place.token,
    address: place.address,
    valueBaseUnits,
    blockTimeMs: paidAtMs,
    blockHash,
    clockAheadMs: aheadMs,
    merchants,
    payments: [...found.values()].map(each => asThere(each, aheadMs, transferId)),
    look: { isGapless: true, indexPosition: position, headPosition: position, isCrowded: isFull },
  });
  return judgeInference(facts(isCrowded)).verdict === 'queue' ? null : facts;
}

/** The slot of the amount due: an exact transfer on it may be set aside. */
function dueSlotOf({ place: { token, address } }: Unreserved, { evidence }: InferredCredit): string {
  const { due_base_units: due } = evidence;
  const slot = due === null ? null : slotOfAmount(token, BigInt(due));
  invariant(slot !== null, 'the amount due lies on the grid');
  return amountSlotId(token.network, address, token.id, slot);
}

/** Any payment there may be the one that is meant. */
function indexBehind({ place: { token, address } }: Unreserved): JudgementWaits {
  return new JudgementWaits('IndexBehind', amountGridId(token.network, address, token.id));
}

/** A transfer that is judged anew in another block has not reached the payment that it was credited to. */
function asThere({ id, body }: Document<PaymentIntentDocument>, aheadMs: number, transferId: string): PaymentThere {
  const payment = quotedIn(body);
  const { quote, ledger } = payment;
  const isOwn = ledger.inferred === transferId;
  const standing = standingOf(payment);
  return {
    paymentIntent: id,
    merchantId: body.merchant_id,
    standing: isOwn && standing === 'under_way' ? 'awaiting' : standing,
    dueBaseUnits: BigInt(quote.due_base_units),
    remainderBaseUnits: isOwn || body.remainder_key === null ? null : BigInt(body.remainder_key),
    quotedAtMs: parseIsoTime(quote.quoted_at) - aheadMs,
    quoteExpiresAtMs: parseIsoTime(quote.quote_expires_at) - aheadMs,
    reservedUntilMs: parseIsoTime(body.remainder_until ?? quote.reserved_until) - aheadMs,
    leftAtMs: isOwn ? null : leftAtMs(body, aheadMs),
    hasInferredCredit: ledger.inferred !== null && !isOwn,
    isDedicated: quote.dedicated,
  };
}

/** Blocks have the wall's time, and a cancel has the merchant's. */
function leftAtMs({ first_paid_at: paid, canceled_at: canceled }: PaymentIntentDocument, aheadMs: number) {
  const moments = [
    ...(paid === null ? [] : [parseIsoTime(paid)]),
    ...(canceled === null ? [] : [parseIsoTime(canceled) - aheadMs]),
  ];
  return moments.length === 0 ? null : Math.min(...moments);
}
