import { isoTime, parseIsoTime, SECOND_MS } from '../../../kernel/clock';
import type { Mode } from '../../../vocabulary/modes';
import { clockOf, hasMerchantClocks, type MerchantClocks } from '../../../kernel/merchant-clocks';
import type { Document } from '../../../kernel/ports/documents';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { dueDeliveriesReadModel, type DueDeliveryDocument } from '../../../modules/webhooks/due-deliveries.read-model';
import { AdvancedClocks } from '../../expiry/advanced-clocks';

const PAGE = 200;
/** Pages of newly due deliveries that one look takes; the next look goes on at once. */
const PAGES_A_LOOK = 20;
/** A document may come into the list so long after its delivery fell due, and is met all the same. */
const LATE_MS = 5 * SECOND_MS;
/** Advanced clocks asked in one look. */
const CLOCKS_A_LOOK = 200;
/** The pause before a clock with something due is asked again: less than the pause between two looks as a rule. */
const CLOCK_PAUSE_MS = SECOND_MS / 4;

export type DueDelivery = Document<DueDeliveryDocument>;

type Parts = { readonly readModels: ReadModels; readonly clock: MerchantClocks };

/**
 * The deliveries that are due in one mode. A look costs a few queries, however many deliveries and merchants wait. A
 * look takes the newly due deliveries, and one page of all due ones. The pages go from the oldest delivery on, and
 * round again. So no delivery is missed that came late into the list, or whose finder has died.
 */
export class DueList {
  /** Every delivery that fell due up to this moment has been taken. */
  private takenToMs: number | null = null;
  private takenTo: DueDelivery | undefined;
  private roundAt: DueDelivery | undefined;
  private readonly advanced: AdvancedClocks;
  /** The place, by merchant, at which the next page of deliveries that are due by its clock begins. */
  private readonly clockRounds = new Map<string, DueDelivery>();

  constructor(
    private readonly mode: Mode,
    private readonly parts: Parts,
  ) {
    this.advanced = new AdvancedClocks(parts.readModels);
  }

  /** Hands on the deliveries that it finds. True when there is more at once. */
  async look(found: (delivery: DueDelivery) => void): Promise<boolean> {
    const isMore = await this.lookForNew(found);
    await this.lookRound(found);
    const isMoreAdvanced = hasMerchantClocks(this.mode) && (await this.lookByClocks(found));
    return isMore || isMoreAdvanced;
  }

  /** The deliveries that are due at an endpoint, the longest waiting first. */
  async ofEndpoint(endpoint: string, merchantId: string, after: DueDelivery | undefined, limit: number) {
    const nowMs = await this.parts.clock.merchantNow(this.mode, merchantId);
    const range = { to: isoTime(nowMs) };
    return this.list({ index: 'by_endpoint', equals: { endpoint }, range, ...afterBy('due_at', after), limit });
  }

  /** A page of the deliveries that are due by the clock of a merchant of test mode. */
  async ofClock(merchantId: string, after?: DueDelivery): Promise<readonly DueDelivery[]> {
    const nowMs = await this.parts.clock.merchantNow(this.mode, merchantId);
    const bound = { equals: { clock: clockOf(merchantId) }, range: { to: isoTime(nowMs) } };
    return this.list({ index: 'by_clock', ...bound, ...afterBy('due_at', after), limit: PAGE });
  }

  private async lookForNew(found: (delivery: DueDelivery) => void): Promise<boolean> {
    const nowMs = this.parts.clock.now();
    const since = this.takenToMs === null ? {} : { from: isoTime(this.takenToMs - LATE_MS) };
    const range = { ...since, to: isoTime(nowMs) };
    for (let pages = 0; pages < PAGES_A_LOOK; pages++) {
      const after = afterBy('wall_due_at', this.takenTo);
      const page = await this.list({ index: 'by_due', equals: { mode: this.mode }, range, ...after, limit: PAGE });
      page.forEach(found);
      this.takenTo = page.length < PAGE ? undefined : page.at(-1);
      if (this.takenTo) continue;
      this.takenToMs = nowMs;
      return false;
    }
    return true;
  }

  private async lookRound(found: (delivery: DueDelivery) => void): Promise<void> {
    const range = { to: isoTime(this.parts.clock.now()) };
    const after = afterBy('wall_due_at', this.roundAt);
    const page = await this.list({ index: 'by_due', equals: { mode: this.mode }, range, ...after, limit: PAGE });
    page.forEach(found);
    this.roundAt = page.length < PAGE ? undefined : page.at(-1);
  }

  /**
   * A delivery that was waiting as its clock was advanced comes earlier than the list says by the wall. True where more
   * clocks wait and most of these had nothing due. The latter are not asked again soon, so looks at once have an end.
   */
  private async lookByClocks(found: (delivery: DueDelivery) => void): Promise<boolean> {
    const wallMs = this.parts.clock.now();
    await this.advanced.refresh(wallMs);
    const merchants = this.advanced.due(wallMs, CLOCKS_A_LOOK);
    let quiet = 0;
    for (const merchantId of merchants) {
      const isDue = await this.lookByClock(merchantId, found);
      if (!isDue) quiet += 1;
      const nextMs = isDue ? wallMs + CLOCK_PAUSE_MS : await this.nextOf(merchantId, wallMs);
      this.advanced.checkAgain(merchantId, nextMs);
    }
    return merchants.length === CLOCKS_A_LOOK && quiet > CLOCKS_A_LOOK / 2;
  }

  /**
   * Takes a page, and in the next look the page after it, from the oldest on and round again. True where anything is
   * due.
   */
  private async lookByClock(merchantId: string, found: (delivery: DueDelivery) => void): Promise<boolean> {
    const after = this.clockRounds.get(merchantId);
    const page = await this.ofClock(merchantId, after);
    page.forEach(found);
    const last = page.length < PAGE ? undefined : page.at(-1);
    if (last) this.clockRounds.set(merchantId, last);
    else this.clockRounds.delete(merchantId);
    return page.length > 0 || after !== undefined;
  }

  /** The wall's moment at which the merchant's next delivery falls due. */
  private async nextOf(merchantId: string, wallMs: number): Promise<number> {
    const nowMs = await this.parts.clock.merchantNow(this.mode, merchantId);
    const [next] = await this.list({ index: 'by_clock', equals: { clock: clockOf(merchantId) }, limit: 1 });
    return next ? wallMs + parseIsoTime(next.body.due_at) - nowMs : Infinity;
  }

  private list(query: Parameters<ReadModels['list']>[1]): Promise<readonly DueDelivery[]> {
    return this.parts.readModels.list(dueDeliveriesReadModel, query);
  }
}

function afterBy(field: 'due_at' | 'wall_due_at', last: DueDelivery | undefined) {
  return last ? { after: { [field]: last.body[field], id: last.id } } : {};
}
