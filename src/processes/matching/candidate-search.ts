import {
  amountKey,
  dayOf,
  expectedPaymentsProjection,
  type ExpectedPaymentDocument,
} from '../../../projections/expected-payments/expected-payments.projection';
import {
  unmatchedTransfersProjection,
  type UnmatchedTransferDocument,
} from '../../../projections/unmatched-transfers/unmatched-transfers.projection';
import { walletsProjection } from '../../../projections/wallets/wallets.projection';
import { DAY_MS, isoTime, MINUTE_MS, parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../kernel/event';
import type { MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { wholeUnit } from '../../kernel/money';
import type { Token } from '../../kernel/tokens';
import { beforeFees, transpositions, type Stray } from '../../modules/transfers/candidate-evidence';
import { rankCandidates, type ExpectedPayment, type NamedCandidate } from '../../modules/transfers/candidate-ranking';
import type { RankedCandidate, TransferKey } from '../../modules/transfers/transfer.events';
import type { IndexWait } from './index-wait';

/** Where money arrived that met no reservation. */
export type Place = { readonly mode: Mode; readonly token: Token; readonly address: string };

/**
 * Payments read on each side of an amount, and of the newest before a moment: named limits, since a shop may have any
 * number.
 */
const NEAREST_READ = 60;
const NEWEST_READ = 150;
const HITS_READ = 3;
const SIBLINGS_READ = 20;
const MERCHANTS_ASKED = 5;
const CROWD_LIMIT = 500;
/** How long an amount stays reserved, and how far a chain's clock may be off. */
const RESERVED_MS = DAY_MS + 15 * MINUTE_MS;
const SKEW_MS = 10 * MINUTE_MS;
/** Who pays an old amount once more does so within that time after it was last good. */
const AFTERMATH_MS = 2 * DAY_MS;

type Amounts = 'due' | 'fiat' | 'remainder';

/**
 * Where to look and by how much the clocks of the merchants there are ahead: payments are stored by those, compared by
 * the wall's.
 */
type Ground = {
  readonly place: Place;
  readonly aheadMs: ReadonlyMap<string, number>;
  readonly shiftsMs: readonly number[];
};
type Span = { readonly fromMs: number; readonly toMs: number };
type Found = Map<string, ExpectedPayment>;

/**
 * Finds and ranks whose a stray transfer may be, by a bounded number of reads of indexes. Moments of strays are the
 * wall's.
 */
export class CandidateSearch {
  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: MerchantClocks,
    private readonly index: IndexWait,
  ) {}

  /** `named`: the payment that the queue's entry names, or null. */
  async rank(place: Place, stray: Stray, named: NamedCandidate | null): Promise<readonly RankedCandidate[]> {
    const ground = await this.groundOf(place, stray.paidAtMs);
    const siblings = (await this.siblings(place, stray)).map(asStray);
    const found: Found = new Map();
    const payment = named && (await this.readModels.get(expectedPaymentsProjection, place.mode, named.paymentIntent));
    if (payment) found.set(payment.id, asPayment(payment, ground));
    await this.addHits(ground, stray, siblings, found);
    await this.addNearest(ground, stray, found);
    for (const shiftMs of ground.shiftsMs) {
      const range = { from: isoTime(openSpan(stray).fromMs + shiftMs), to: isoTime(openSpan(stray).toMs + shiftMs) };
      const newest = { index: 'by_time', equals: scope(place), range, descending: true, limit: NEWEST_READ };
      await this.add(ground, found, newest);
    }
    const payments = [...found.values()];
    const knownTo = await this.merchantsKnowing(place.mode, stray.from, payments);
    return rankCandidates(stray, payments, { token: place.token, siblings, knownTo, named });
  }

  /** Other strays that make up, with this one, what some payment asks for. */
  async completing(place: Place, stray: Stray): Promise<readonly TransferKey[]> {
    const ground = await this.groundOf(place, stray.paidAtMs);
    const completing: TransferKey[] = [];
    for (const sibling of await this.siblings(place, stray)) {
      const found: Found = new Map();
      await this.addSum(ground, stray, asStray(sibling), found);
      const { network_id: network, tx_hash: txHash, ordinal } = sibling.body;
      if (found.size > 0) completing.push({ network, txHash, ordinal });
    }
    return completing;
  }

  /**
   * Whether some other payment whose amount was reserved when the transfer came asks for one that is nearer to it than
   * `distance`, be it canceled since; `among` says which payments are asked about. Where too many lie in between to
   * look at each, one of them is taken to be. Throws Refusal provider_unavailable where none is found and some may be
   * missing from the list.
   */
  async isAnotherNearer(
    place: Place,
    stray: Stray,
    distance: bigint,
    among: (payment: ExpectedPayment) => boolean,
  ): Promise<boolean> {
    if (distance === 0n) return false;
    if (await this.findNearer(place, stray, distance, among)) return true;
    // The clocks of test mode are found by the wallets.
    const lists =
      place.mode === 'test' ? [expectedPaymentsProjection, walletsProjection] : [expectedPaymentsProjection];
    await this.index.reachHead(lists);
    return this.findNearer(place, stray, distance, among);
  }

  private async findNearer(
    place: Place,
    stray: Stray,
    distance: bigint,
    among: (payment: ExpectedPayment) => boolean,
  ): Promise<boolean> {
    const ground = await this.groundOf(place, stray.paidAtMs);
    const isReserved = ({ quotedAtMs, reservedUntilMs }: ExpectedPayment): boolean =>
      quotedAtMs <= stray.paidAtMs + SKEW_MS && reservedUntilMs >= stray.paidAtMs;
    for (const amounts of ['due', 'remainder'] as const) {
      for (const from of at(ground, amounts, openSpan(stray))) {
        const query = { ...from, range: between(stray.valueBaseUnits, distance - 1n), limit: CROWD_LIMIT };
        const page = await this.readModels.list(expectedPaymentsProjection, query);
        if (page.length === CROWD_LIMIT) return true;
        if (page.map(each => asPayment(each, ground)).some(each => isReserved(each) && among(each))) return true;
      }
    }
    return false;
  }

  /** Other transfers that wait at this place, those of the day around it. */
  private async siblings(
    place: Place,
    { transferId, paidAtMs }: Stray,
  ): Promise<readonly Document<UnmatchedTransferDocument>[]> {
    const page = await this.readModels.list(unmatchedTransfersProjection, {
      index: 'by_token',
      equals: { ...scope(place), open: true },
      range: { from: isoTime(paidAtMs - DAY_MS), to: isoTime(paidAtMs + DAY_MS) },
      descending: true,
      limit: SIBLINGS_READ,
    });
    return page.filter(({ id }) => id !== transferId);
  }

  /** Outside test mode every clock is the wall's. */
  private async groundOf(place: Place, wallMs: number): Promise<Ground> {
    const { mode, token, address } = place;
    const aheadMs = new Map<string, number>();
    if (mode === 'test') {
      const equals = { mode, network_id: token.network, status: 'verified', address };
      const query = { index: 'by_network', equals, limit: MERCHANTS_ASKED };
      for (const { body } of await this.readModels.list(walletsProjection, query)) {
        const { merchant_id: merchantId } = body;
        aheadMs.set(merchantId, (await this.clock.merchantTimeAt(mode, merchantId, wallMs)) - wallMs);
      }
    }
    return { place, aheadMs, shiftsMs: [...new Set([0, ...aheadMs.values()])] };
  }

  /** Payments that a mistake would connect with the value to the unit: looked up one amount each. */
  private async addHits(ground: Ground, stray: Stray, siblings: readonly Stray[], found: Found): Promise<void> {
    const { token } = ground.place;
    const { valueBaseUnits: value, paidAtMs } = stray;
    const tolerance = token.attributionToleranceBaseUnits;
    const open = openSpan(stray);
    const everOpen = { fromMs: paidAtMs - RESERVED_MS - AFTERMATH_MS, toMs: open.toMs };
    await this.addBetween(ground, 'due', everOpen, between(value, tolerance), found);
    await this.addBetween(ground, 'fiat', open, between(value, tolerance), found, NEAREST_READ);
    const cent = wholeUnit(token.decimals) / 100n;
    for (const amount of beforeFees(token, value)) {
      await this.addBetween(ground, 'due', open, between(amount, tolerance), found);
      await this.addBetween(ground, 'due', open, between(amount, cent), found);
    }
    for (const amount of transpositions(token, value))
      await this.addBetween(ground, 'due', open, between(amount, tolerance), found);
    for (const sibling of siblings) await this.addSum(ground, stray, sibling, found);
  }

  private async addSum(ground: Ground, stray: Stray, sibling: Stray, found: Found): Promise<void> {
    const sum = stray.valueBaseUnits + sibling.valueBaseUnits;
    const range = between(sum, ground.place.token.attributionToleranceBaseUnits);
    await this.addBetween(ground, 'due', openSpan(stray), range, found);
    await this.addBetween(ground, 'remainder', openSpan(stray), range, found);
  }

  private async addNearest(ground: Ground, stray: Stray, found: Found): Promise<void> {
    const key = amountKey(stray.valueBaseUnits);
    for (const amounts of ['due', 'remainder'] as const) {
      for (const from of at(ground, amounts, openSpan(stray))) {
        await this.add(ground, found, { ...from, range: { from: key }, limit: NEAREST_READ });
        await this.add(ground, found, { ...from, range: { to: key }, descending: true, limit: NEAREST_READ });
      }
    }
  }

  private async addBetween(
    ground: Ground,
    amounts: Amounts,
    span: Span,
    range: { readonly from: string; readonly to: string },
    found: Found,
    limit = HITS_READ,
  ): Promise<void> {
    for (const from of at(ground, amounts, span)) await this.add(ground, found, { ...from, range, limit });
  }

  private async add(ground: Ground, found: Found, query: ListQuery): Promise<void> {
    for (const document of await this.readModels.list(expectedPaymentsProjection, query)) {
      if (!found.has(document.id)) found.set(document.id, asPayment(document, ground));
    }
  }

  private async merchantsKnowing(
    mode: Mode,
    payer: string,
    payments: readonly ExpectedPayment[],
  ): Promise<ReadonlySet<string>> {
    const merchants = [...new Set(payments.map(({ merchantId }) => merchantId))].slice(0, MERCHANTS_ASKED);
    const known = new Set<string>();
    for (const merchantId of merchants) {
      const equals = { mode, merchant_id: merchantId, payer };
      const [one] = await this.readModels.list(expectedPaymentsProjection, { index: 'by_payer', equals, limit: 1 });
      if (one) known.add(merchantId);
    }
    return known;
  }
}

function scope({ mode, token, address }: Place) {
  return { mode, token_id: token.id, address };
}

/** When a payment must have been quoted that was open as the stray came. */
function openSpan({ paidAtMs }: Stray): Span {
  return { fromMs: paidAtMs - RESERVED_MS, toMs: paidAtMs + SKEW_MS };
}

/** The parts of an index that hold the amounts of a span of time. */
function at({ place, shiftsMs }: Ground, amounts: Amounts, { fromMs, toMs }: Span) {
  const dayField = amounts === 'remainder' ? 'remainder_day' : 'day';
  const touched = new Set(shiftsMs.flatMap(shiftMs => days(fromMs + shiftMs, toMs + shiftMs)));
  return [...touched].map(day => ({ index: `by_${amounts}`, equals: { ...scope(place), [dayField]: day } }));
}

function between(amount: bigint, off: bigint): { readonly from: string; readonly to: string } {
  return { from: amountKey(amount > off ? amount - off : 0n), to: amountKey(amount + off) };
}

/** The UTC days that a span of time touches. */
function days(fromMs: number, toMs: number): readonly string[] {
  const touched: string[] = [];
  for (let atMs = fromMs; dayOf(isoTime(atMs)) < dayOf(isoTime(toMs)); atMs += DAY_MS)
    touched.push(dayOf(isoTime(atMs)));
  return [...touched, dayOf(isoTime(toMs))];
}

function asPayment({ id, body }: Document<ExpectedPaymentDocument>, { aheadMs }: Ground): ExpectedPayment {
  const ahead = aheadMs.get(body.merchant_id) ?? 0;
  return {
    paymentIntent: id,
    merchantId: body.merchant_id,
    state: body.state,
    dueBaseUnits: BigInt(body.due_key),
    fiatBaseUnits: BigInt(body.fiat_key),
    remainderBaseUnits: body.remainder_key === null ? null : BigInt(body.remainder_key),
    quotedAtMs: parseIsoTime(body.quoted_at) - ahead,
    reservedUntilMs: parseIsoTime(body.remainder_until ?? body.reserved_until) - ahead,
    payer: body.payer,
  };
}

function asStray({ id, body }: Document<UnmatchedTransferDocument>): Stray {
  return {
    transferId: id,
    from: body.from,
    valueBaseUnits: BigInt(body.value_base_units),
    paidAtMs: parseIsoTime(body.block_time),
  };
}
