import { DAY_MS, isoTime, parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../vocabulary/modes';
import { hasMerchantClocks, type KnownClock, type MerchantClocks } from '../../kernel/merchant-clocks';
import type { Document, ListQuery } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { wholeUnit } from '../../vocabulary/money';
import { amountKey, paymentIntentsReadModel } from '../../modules/payment-intents/payment-intents.read-model';
import { RESERVED_MS } from '../../modules/payment-intents/quote-times';
import { beforeFees, transpositions, type UnmatchedFacts } from '../../modules/transfers/candidate-evidence';
import { rankCandidates, type ExpectedPayment, type NamedCandidate } from '../../modules/transfers/candidate-ranking';
import type { RankedCandidate, TransferKey } from '../../modules/transfers/transfer.events';
import {
  keyOfRow,
  unmatchedTransfersReadModel,
  type UnmatchedTransferDocument,
} from '../../modules/transfers/unmatched-transfers.read-model';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import type { IndexWait } from './index-wait';
import { NewestPayments } from './newest-payments';
import {
  asPayment,
  daysOf,
  groundOf,
  MERCHANTS_ASKED,
  newestIn,
  spanOf,
  scope,
  SKEW_MS,
  UNREAD,
  type Ground,
  type Place,
  type Span,
} from './ranking-ground';

/** Payments read on each side of an amount: a named limit, since a shop may have any number. */
const NEAREST_READ = 60;
const HITS_READ = 3;
const SIBLINGS_READ = 20;
const CROWD_LIMIT = 500;
/** Reads of one ranking, after which other work has its turn. */
const READS_A_TURN = 8;
/** A customer who pays an old amount once more does so within that time after the amount's end. */
const AFTERMATH_MS = 2 * DAY_MS;

type Amounts = 'due' | 'fiat' | 'remainder';

type Found = Map<string, ExpectedPayment>;

/**
 * Finds and ranks the payments that an unmatched transfer may be meant for, by a bounded number of index reads. Moments
 * of unmatched transfers are the wall's.
 */
export class CandidateSearch {
  private readonly newest: NewestPayments;
  private reads = 0;

  constructor(
    private readonly readModels: ReadModels,
    private readonly clock: MerchantClocks,
    private readonly index: IndexWait,
  ) {
    this.newest = new NewestPayments(readModels, clock);
  }

  /** `named`: the payment that the queue's entry names, or null. */
  async rank(
    place: Place,
    unmatched: UnmatchedFacts,
    named: NamedCandidate | null,
  ): Promise<readonly RankedCandidate[]> {
    const ground = await this.groundAt(place, unmatched.paidAtMs);
    const siblings = (await this.siblings(place, unmatched)).map(asUnmatched);
    const found: Found = new Map();
    if (named) await this.addNamed(ground, named, found);
    await this.addHits(ground, unmatched, siblings, found);
    await this.addNearest(ground, unmatched, found);
    for (const query of newestIn(ground, spanOf(unmatched.paidAtMs))) await this.add(ground, found, query);
    const payments = [...found.values()];
    const knownTo = await this.merchantsKnowing(place.mode, unmatched.from, payments);
    return rankCandidates(unmatched, payments, { token: place.token, siblings, knownTo, named });
  }

  /**
   * Ranks as `rank` does, for times when many unmatched transfers come. Only the newest payments of the place are read,
   * and sums of several unmatched transfers are left out.
   */
  async rankInCrowd(
    place: Place,
    unmatched: UnmatchedFacts,
    named: NamedCandidate | null,
  ): Promise<readonly RankedCandidate[]> {
    const newest = await this.newest.at(place, unmatched.paidAtMs);
    const isMissing = named !== null && newest.every(({ paymentIntent }) => paymentIntent !== named.paymentIntent);
    const found = new Map<string, ExpectedPayment>();
    if (isMissing) await this.addNamed(await this.groundAt(place, unmatched.paidAtMs), named, found);
    const surroundings = { token: place.token, siblings: [], knownTo: new Set<string>(), named };
    return rankCandidates(unmatched, [...found.values(), ...newest], surroundings);
  }

  /** Other unmatched transfers whose sum with this one is the amount of some payment. */
  async completing(place: Place, unmatched: UnmatchedFacts): Promise<readonly TransferKey[]> {
    const ground = await this.groundAt(place, unmatched.paidAtMs);
    const completing: TransferKey[] = [];
    for (const sibling of await this.siblings(place, unmatched)) {
      const found: Found = new Map();
      await this.addSum(ground, unmatched, asUnmatched(sibling), found);
      if (found.size > 0) completing.push(keyOfRow(sibling.body));
    }
    return completing;
  }

  /**
   * Whether another payment asks for an amount that is nearer to the transfer than `distance`. The amount must have
   * been reserved when the transfer came; the payment may have been canceled since. `among` says which payments are
   * asked about. Where too many payments lie in between, the answer is true. Throws Refusal provider_unavailable where
   * no such payment is found and the list may lack some.
   */
  async isAnotherNearer(
    place: Place,
    unmatched: UnmatchedFacts,
    distance: bigint,
    among: (payment: ExpectedPayment) => boolean,
    clock: KnownClock,
  ): Promise<boolean> {
    if (distance === 0n) return false;
    // Merchants' clocks at an address are found by its wallets.
    const clocks = hasMerchantClocks(place.mode) ? [walletsReadModel] : [];
    const lists = [paymentIntentsReadModel, ...clocks];
    const holdsAll = await this.index.isAtHead(lists);
    if (await this.findNearer(place, unmatched, distance, among, clock)) return true;
    if (holdsAll) return false;
    await this.index.reachHead(lists);
    return this.findNearer(place, unmatched, distance, among, clock);
  }

  private async findNearer(
    place: Place,
    unmatched: UnmatchedFacts,
    distance: bigint,
    among: (payment: ExpectedPayment) => boolean,
    clock: KnownClock,
  ): Promise<boolean> {
    const ground = await groundOf(this.readModels, this.clock, place, unmatched.paidAtMs, clock);
    const isReserved = ({ quotedAtMs, reservedUntilMs }: ExpectedPayment): boolean =>
      quotedAtMs <= unmatched.paidAtMs + SKEW_MS && reservedUntilMs >= unmatched.paidAtMs;
    for (const amounts of ['due', 'remainder'] as const) {
      for (const from of at(ground, amounts, spanOf(unmatched.paidAtMs))) {
        const query = { ...from, range: between(unmatched.valueBaseUnits, distance - 1n), limit: CROWD_LIMIT };
        const page = await this.readModels.list(paymentIntentsReadModel, query);
        if (page.length === CROWD_LIMIT) return true;
        if (page.map(each => asPayment(each, ground)).some(each => isReserved(each) && among(each))) return true;
      }
    }
    return false;
  }

  /** Other transfers that wait at this place, within a day of it. */
  private async siblings(
    place: Place,
    { transferId, paidAtMs }: UnmatchedFacts,
  ): Promise<readonly Document<UnmatchedTransferDocument>[]> {
    const page = await this.readModels.list(unmatchedTransfersReadModel, {
      index: 'by_token',
      equals: { mode: place.mode, token_id: place.token.id, address: place.address, open: true },
      range: { from: isoTime(paidAtMs - DAY_MS), to: isoTime(paidAtMs + DAY_MS) },
      descending: true,
      limit: SIBLINGS_READ,
    });
    return page.filter(({ id }) => id !== transferId);
  }

  private groundAt(place: Place, wallMs: number): Promise<Ground> {
    return groundOf(this.readModels, this.clock, place, wallMs);
  }

  private async addNamed(ground: Ground, { paymentIntent }: NamedCandidate, found: Found): Promise<void> {
    const payment = await this.readModels.get(paymentIntentsReadModel, ground.place.mode, paymentIntent);
    if (payment && payment.body.state.quote !== null) found.set(payment.id, asPayment(payment, ground));
  }

  /** Payments that a mistake would connect with the value to the unit: each amount is looked up by itself. */
  private async addHits(
    ground: Ground,
    unmatched: UnmatchedFacts,
    siblings: readonly UnmatchedFacts[],
    found: Found,
  ): Promise<void> {
    const { token } = ground.place;
    const { valueBaseUnits: value, paidAtMs } = unmatched;
    const tolerance = token.attributionToleranceBaseUnits;
    const open = spanOf(unmatched.paidAtMs);
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
    for (const sibling of siblings) await this.addSum(ground, unmatched, sibling, found);
  }

  private async addSum(
    ground: Ground,
    unmatched: UnmatchedFacts,
    sibling: UnmatchedFacts,
    found: Found,
  ): Promise<void> {
    const sum = unmatched.valueBaseUnits + sibling.valueBaseUnits;
    const range = between(sum, ground.place.token.attributionToleranceBaseUnits);
    await this.addBetween(ground, 'due', spanOf(unmatched.paidAtMs), range, found);
    await this.addBetween(ground, 'remainder', spanOf(unmatched.paidAtMs), range, found);
  }

  private async addNearest(ground: Ground, unmatched: UnmatchedFacts, found: Found): Promise<void> {
    const key = amountKey(unmatched.valueBaseUnits);
    for (const amounts of ['due', 'remainder'] as const) {
      for (const from of at(ground, amounts, spanOf(unmatched.paidAtMs))) {
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
    if (++this.reads % READS_A_TURN === 0) await this.clock.wait(0);
    for (const document of await this.readModels.list(paymentIntentsReadModel, query)) {
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
      const query = { index: 'by_payer', equals, limit: 1, omit: ['state', ...UNREAD] };
      const [one] = await this.readModels.list(paymentIntentsReadModel, query);
      if (one) known.add(merchantId);
    }
    return known;
  }
}

/** The parts of an index that hold the amounts of a span of time. */
function at({ place, shiftsMs }: Ground, amounts: Amounts, { fromMs, toMs }: Span) {
  const dayField = amounts === 'remainder' ? 'remainder_day' : 'quoted_day';
  const touched = new Set(shiftsMs.flatMap(shiftMs => daysOf({ fromMs: fromMs + shiftMs, toMs: toMs + shiftMs })));
  return [...touched].map(day => ({
    index: `by_${amounts}`,
    equals: { ...scope(place), [dayField]: day },
    omit: UNREAD,
  }));
}

function between(amount: bigint, off: bigint): { readonly from: string; readonly to: string } {
  return { from: amountKey(amount > off ? amount - off : 0n), to: amountKey(amount + off) };
}

function asUnmatched({ id, body }: Document<UnmatchedTransferDocument>): UnmatchedFacts {
  return {
    transferId: id,
    from: body.from,
    valueBaseUnits: BigInt(body.value_base_units),
    paidAtMs: parseIsoTime(body.block_time),
  };
}
