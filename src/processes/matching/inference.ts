import { isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { LogPosition } from '../../kernel/log-position';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import { START_OF_LOG } from '../../kernel/ports/event-store';
import type { ReadModels } from '../../kernel/ports/read-models';
import { isRefusal } from '../../vocabulary/errors';
import { amountSlotId } from '../../modules/amount-slots/amount-slot.decider';
import {
  amountKey,
  expectedPaymentsReadModel,
  type ExpectedPaymentDocument,
} from '../../modules/payment-intents/expected-payments.read-model';
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
import { daysOf, scope, type Place, type Span } from './ranking-ground';
import type { IndexWait } from './index-wait';

/** Payments of one span that a look reads; a fuller span refuses the inference. */
const CROWD_LIMIT = 200;
/** Wallets of one address that are read: a second merchant there refuses the inference. */
const WALLETS_READ = 2;
/** No quote is open for longer. */
const LONGEST_QUOTE_MS = 15 * MINUTE_MS;

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

/** The transfer waits for its judgement: it is set aside, and is met again. */
class IndexBehind extends Error {
  constructor() {
    super('the list of expected payments is behind the log');
    this.name = 'IndexBehind';
  }
}

type Found = Map<string, Document<ExpectedPaymentDocument>>;

/** Decides whether a transfer that met no reservation is credited to a payment by inference. */
export class Inference {
  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: MerchantClocks,
    private readonly index: IndexWait,
  ) {}

  /**
   * Null where the transfer is to go to the queue. The first look may go by an index that is behind, and most transfers
   * need no other one. Throws IndexBehind, and what `requireGapless` throws.
   */
  async judge(unreserved: Unreserved): Promise<InferredCredit | null> {
    if ((await this.look(unreserved, START_OF_LOG)) === null) return null;
    const credit = await this.look(unreserved, await this.reachHead());
    if (credit === null) return null;
    await unreserved.requireGapless(dueSlotOf(unreserved, credit));
    return credit;
  }

  private async reachHead(): Promise<LogPosition> {
    try {
      return await this.index.reachHead([expectedPaymentsReadModel, walletsReadModel]);
    } catch (error) {
      // An index is no provider: the scan goes on meanwhile.
      if (isRefusal(error, 'provider_unavailable')) throw new IndexBehind();
      throw error;
    }
  }

  /** `position`: the log's head that the index has reached. */
  private async look(unreserved: Unreserved, position: LogPosition): Promise<InferredCredit | null> {
    const { place, paidAtMs, valueBaseUnits, blockHash } = unreserved;
    const merchants = await this.merchantsAt(place);
    const [merchantId] = merchants;
    if (merchantId === undefined || merchants.length > 1) return null;
    const aheadMs = (await this.clock.merchantTimeAt(place.mode, merchantId, paidAtMs)) - paidAtMs;
    const found: Found = new Map();
    let isCrowded = await this.addOpen(place, paidAtMs + aheadMs, found);
    const facts = (): InferenceFacts => ({
      token: place.token,
      address: place.address,
      valueBaseUnits,
      blockTimeMs: paidAtMs,
      blockHash,
      merchants,
      payments: [...found.values()].map(each => asThere(each, aheadMs, unreserved.transferId)),
      look: { isGapless: true, indexPosition: position, headPosition: position, isCrowded },
    });
    if (judgeInference(facts()).verdict === 'queue') return null;
    const untilMs = paidAtMs + aheadMs + OTHERS_AHEAD_MS;
    const lastDay = { fromMs: untilMs - OTHERS_AHEAD_MS - LAST_DAY_MS - LONGEST_QUOTE_MS, toMs: untilMs };
    isCrowded = await this.addAsking(place, lastDay, rangeOfLastDay(valueBaseUnits), found);
    const near = rangeOfLastMonth(facts());
    if (near === null) return null;
    const lastMonth = { fromMs: untilMs - OTHERS_AHEAD_MS - LAST_MONTH_MS, toMs: untilMs };
    isCrowded = await this.addAsking(place, lastMonth, near, found);
    const judged = judgeInference(facts());
    if (judged.verdict === 'queue') return null;
    return { paymentIntent: judged.paymentIntent, merchantId, evidence: judged.evidence };
  }

  private async merchantsAt({ mode, token, address }: Place): Promise<readonly string[]> {
    const equals = { mode, network_id: token.network, status: 'verified', address };
    const page = await this.readModels.list(walletsReadModel, { index: 'by_network', equals, limit: WALLETS_READ });
    return [...new Set(page.map(({ body }) => body.merchant_id))];
  }

  /** Adds the payments whose quote was open at the moment, by their merchant's clock. True where they are too many. */
  private addOpen(place: Place, paidAt: number, found: Found): Promise<boolean> {
    const range = { from: isoTime(paidAt - LONGEST_QUOTE_MS), to: isoTime(paidAt) };
    return this.add({ index: 'by_time', equals: scope(place), range, limit: CROWD_LIMIT }, found);
  }

  /** Adds the payments of a span that ask, or asked, for an amount of the range. True where a page was full. */
  private async addAsking(place: Place, span: Span, { from, to }: AmountRange, found: Found): Promise<boolean> {
    const range = { from: amountKey(from), to: amountKey(to) };
    const limit = CROWD_LIMIT;
    let isFull = false;
    for (const day of daysOf(span)) {
      const due = { index: 'by_due', equals: { ...scope(place), day }, range, limit };
      const remainder = { index: 'by_remainder', equals: { ...scope(place), remainder_day: day }, range, limit };
      for (const query of [due, remainder]) isFull = (await this.add(query, found)) || isFull;
    }
    return isFull;
  }

  private async add(query: ListQuery & { readonly limit: number }, found: Found): Promise<boolean> {
    const page = await this.readModels.list(expectedPaymentsReadModel, query);
    for (const document of page) found.set(document.id, document);
    return page.length === query.limit;
  }
}

/** The slot of the amount due: an exact transfer on it may be set aside. */
function dueSlotOf({ place }: Unreserved, { evidence }: InferredCredit): string | null {
  const { token, address } = place;
  const slot = evidence.due_base_units === null ? null : slotOfAmount(token, BigInt(evidence.due_base_units));
  return slot === null ? null : amountSlotId(token.network, address, token.id, slot);
}

/** A transfer that is judged anew in another block has not reached the payment that it was credited to. */
function asThere({ id, body }: Document<ExpectedPaymentDocument>, aheadMs: number, transferId: string): PaymentThere {
  const isOwn = body.inferred_transfer === transferId;
  return {
    paymentIntent: id,
    merchantId: body.merchant_id,
    standing: isOwn && body.standing === 'under_way' ? 'awaiting' : body.standing,
    dueBaseUnits: BigInt(body.due_key),
    remainderBaseUnits: isOwn || body.remainder_key === null ? null : BigInt(body.remainder_key),
    quotedAtMs: parseIsoTime(body.quoted_at) - aheadMs,
    quoteExpiresAtMs: parseIsoTime(body.quote_expires_at) - aheadMs,
    reservedUntilMs: parseIsoTime(body.remainder_until ?? body.reserved_until) - aheadMs,
    leftAtMs: isOwn ? null : leftAtMs(body, aheadMs),
    hasInferredCredit: body.inferred_transfer !== null && !isOwn,
    isDedicated: body.dedicated,
  };
}

/** Blocks have the wall's time, and a cancel has the merchant's. */
function leftAtMs({ first_paid_at: paid, canceled_at: canceled }: ExpectedPaymentDocument, aheadMs: number) {
  const moments = [
    ...(paid === null ? [] : [parseIsoTime(paid)]),
    ...(canceled === null ? [] : [parseIsoTime(canceled) - aheadMs]),
  ];
  return moments.length === 0 ? null : Math.min(...moments);
}
