import { ENDPOINT_LIMIT, limitOf, UNTRIED, type Circuit, type Standing } from './circuit';
import type { DueDelivery } from './due-list';
import type { Lease } from './endpoint-leases';

/** Deliveries that a line holds in memory; the list of due deliveries has the others. */
export const LINE_LIMIT = 8 * ENDPOINT_LIMIT;

/** The deliveries of one endpoint that wait for their turn in this process. */
export class EndpointLine {
  readonly underWay = new Set<string>();
  lease: Lease | null = null;
  circuit: Circuit = UNTRIED;
  /** The next owner of the lease does not know this circuit yet. */
  isCircuitNew = false;
  /** The list may hold more that is due than this line. */
  isBehind = false;
  /** The place at which the next page of the list begins. */
  listedTo: DueDelivery | undefined;
  /** Its lease is being taken, or its deliveries are being listed. */
  isPreparing = false;
  /** By the wall's clock: nothing begins until then, since another process sends or a store is away. */
  restUntilMs = 0;
  /** The lines among which this one waits for its turn. */
  turn: Standing | null = null;
  private readonly waiting = new Set<string>();
  /** Deliveries that came up again while they were under way: the attempt may have read an older state. */
  private readonly again = new Set<string>();

  constructor(
    readonly endpointId: string,
    readonly merchantId: string,
  ) {}

  get isEmpty(): boolean {
    return this.waiting.size === 0;
  }

  get isIdle(): boolean {
    return this.isEmpty && !this.isBehind && !this.isPreparing && this.underWay.size === 0;
  }

  get isReady(): boolean {
    return !this.isEmpty && this.underWay.size < limitOf(this.circuit);
  }

  /** No other process may send to the endpoint. */
  get needsLease(): boolean {
    return !this.isEmpty || this.underWay.size > 0;
  }

  /** A line that is full is behind from then on. */
  add(deliveryId: string): void {
    if (this.waiting.has(deliveryId)) return;
    if (this.waiting.size < LINE_LIMIT) this.waiting.add(deliveryId);
    else this.isBehind = true;
  }

  /** The delivery is looked at once more after the attempt that is under way, since its stream has changed. */
  addAgain(deliveryId: string): void {
    this.again.add(deliveryId);
  }

  begin(): string | null {
    const [deliveryId] = this.waiting;
    if (deliveryId === undefined) return null;
    this.waiting.delete(deliveryId);
    this.underWay.add(deliveryId);
    return deliveryId;
  }

  /** `isMore`: another attempt of the delivery is due at once. */
  end(deliveryId: string, isMore: boolean): void {
    this.underWay.delete(deliveryId);
    if (this.again.delete(deliveryId) || isMore) this.waiting.add(deliveryId);
  }

  /** The list has them still. */
  forgetWaiting(): void {
    this.isBehind ||= !this.isEmpty;
    this.listedTo = undefined;
    this.waiting.clear();
  }
}
