import { SECOND_MS } from '../../../kernel/clock';
import type { Entropy } from '../../../kernel/entropy';
import type { Mode } from '../../../vocabulary/modes';
import type { MerchantClocks } from '../../../kernel/merchant-clocks';
import { outageOf } from '../../../kernel/outage';
import type { Log } from '../../../kernel/ports/log';
import { parseDeliveryId, webhookDeliveries } from '../../../modules/webhooks/webhook-delivery.decider';
import type { WritePath } from '../../../kernel/write-path';
import type { Attempted, WebhookDelivery } from '../webhook-delivery';
import { afterOutcome, STANDINGS, type Circuit, type Standing } from './circuit';
import type { DueDelivery, DueList } from './due-list';
import type { EndpointLeases } from './endpoint-leases';
import { EndpointLine, LINE_LIMIT } from './endpoint-line';
import { Places } from './places';
import { DeliveryPauses } from './delivery-pauses';
import { Turns } from './turns';

/** Endpoints with a line in memory. The list has the due deliveries of others, and these come as lines end. */
const LINES_LIMIT = 10_000;
/** Lines whose lease is being taken, or whose deliveries are being listed, at once. */
const PREPARED_AT_ONCE = 16;
/** No look begins for so long after a store was found away. */
const OUTAGE_PAUSE_MS = 2 * SECOND_MS;
const LINE_FAULT = 'what is due at an endpoint could not be made ready';

type ModeDispatchParts = {
  readonly mode: Mode;
  readonly places: number;
  readonly list: DueList;
  readonly leases: EndpointLeases;
  readonly delivery: Pick<WebhookDelivery, 'attempt'>;
  readonly writes: WritePath;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly log: Log;
};

export type Rung = { readonly deliveryId: string; readonly merchantId: string };

/** One mode's deliveries: a line for each endpoint, turns among them, and the places of the attempts under way. */
export class ModeDispatch {
  private readonly places: Places;
  /** One line an endpoint. Each look advances every line, so none is forgotten. */
  private readonly lines = new Map<string, EndpointLine>();
  /** Lines that can begin an attempt. */
  private readonly turns: Readonly<Record<Standing, Turns<EndpointLine>>> = {
    prompt: new Turns(),
    untried: new Turns(),
    slow: new Turns(),
  };
  private readonly toPrepare = new Set<EndpointLine>();
  private readonly faultPauses = new DeliveryPauses();
  private readonly working = new Set<Promise<void>>();
  private preparing = 0;
  private closedUntilMs = 0;
  private isStopped = false;

  constructor(private readonly parts: ModeDispatchParts) {
    this.places = new Places(parts.places);
  }

  /** A delivery that may be due: its own stream decides. `isNews` where something has just happened to it. */
  offer({ deliveryId, merchantId }: Rung, isNews: boolean): void {
    const { endpointId } = parseDeliveryId(deliveryId);
    const now = this.parts.clock.now();
    if (this.isStopped || this.faultPauses.has(deliveryId, now)) return;
    const known = this.lines.get(endpointId);
    if (!known && this.lines.size >= LINES_LIMIT) return;
    const line = known ?? new EndpointLine(endpointId, merchantId);
    this.lines.set(endpointId, line);
    if (line.restUntilMs > now) line.isBehind = true;
    else if (!line.underWay.has(deliveryId)) line.add(deliveryId);
    else if (isNews) line.addAgain(deliveryId);
    this.advance(line);
  }

  /** One look at the list, and at every line that does not rest. True when there is more at once. */
  async look(): Promise<boolean> {
    try {
      return await this.parts.list.look(delivery => this.offer(rungBy(delivery), false));
    } finally {
      const now = this.parts.clock.now();
      for (const line of this.lines.values()) if (line.restUntilMs <= now) this.arrange(line);
      this.pump();
    }
  }

  isPaused(deliveryId: string): boolean {
    return this.faultPauses.has(deliveryId, this.parts.clock.now());
  }

  /**
   * Begins nothing more. Resolves when the attempts under way have ended and other processes may go on with the
   * endpoints.
   */
  async stop(): Promise<void> {
    this.isStopped = true;
    while (this.working.size > 0) await Promise.all(this.working);
    const { leases } = this.parts;
    const giveBack = async ({ endpointId, lease, circuit }: EndpointLine): Promise<void> => {
      if (lease && leases.isValid(lease)) await leases.release(endpointId, lease, circuit);
    };
    // A lease that cannot be given back ends by itself.
    await Promise.allSettled([...this.lines.values()].map(giveBack));
  }

  private advance(line: EndpointLine): void {
    this.arrange(line);
    this.pump();
  }

  /** The line's next need: its lease, its deliveries, its turn, or its end. */
  private arrange(line: EndpointLine): void {
    const { leases } = this.parts;
    const isLeaseDue = line.needsLease && !leases.isReliable(line.lease);
    if (isLeaseDue || line.isCircuitNew || (line.isEmpty && line.isBehind)) this.prepareSoon(line);
    else if (line.isIdle && !leases.isValid(line.lease)) this.drop(line);
    this.queue(line);
  }

  /** An endpoint's next delivery makes a line of its own, of which an older one must take no notice. */
  private drop(line: EndpointLine): void {
    this.toPrepare.delete(line);
    this.lines.delete(line.endpointId);
  }

  private queue(line: EndpointLine): void {
    const canBegin = line.isReady && this.parts.leases.isValid(line.lease);
    const turn = canBegin ? line.circuit.standing : null;
    if (turn === line.turn) return;
    if (line.turn) this.turns[line.turn].remove(line);
    if (turn) this.turns[turn].add(line);
    line.turn = turn;
  }

  private prepareSoon(line: EndpointLine): void {
    const now = this.parts.clock.now();
    if (line.isPreparing || line.restUntilMs > now) return;
    if (this.closedUntilMs > now) {
      line.restUntilMs = this.closedUntilMs;
      return;
    }
    this.toPrepare.add(line);
    this.prepareNext();
  }

  private prepareNext(): void {
    for (const line of this.toPrepare) {
      if (this.isStopped || this.preparing >= PREPARED_AT_ONCE) return;
      this.toPrepare.delete(line);
      this.preparing += 1;
      line.isPreparing = true;
      this.work(this.prepareSafely(line));
    }
  }

  private async prepareSafely(line: EndpointLine): Promise<void> {
    try {
      await this.prepare(line);
    } catch (error) {
      if (!this.isOutage(error)) this.parts.log.error({ endpoint: line.endpointId, err: error }, LINE_FAULT);
      line.restUntilMs = this.parts.clock.now() + OUTAGE_PAUSE_MS;
    } finally {
      line.isPreparing = false;
      this.preparing -= 1;
      this.advance(line);
      this.prepareNext();
    }
  }

  private async prepare(line: EndpointLine): Promise<void> {
    const { leases } = this.parts;
    if (line.isEmpty && line.isBehind) await this.refill(line);
    if (!line.needsLease && !line.isCircuitNew) return;
    const known = leases.isValid(line.lease) ? line.lease : null;
    const told = line.circuit;
    const held = await leases.hold(line.endpointId, known, told);
    if ('lease' in held) {
      line.lease = held.lease;
      if (!known) this.turnTo(line, held.circuit);
      // Knowledge that came meanwhile is told next.
      if (line.circuit === told || line.circuit === held.circuit) line.isCircuitNew = false;
      return;
    }
    line.lease = null;
    line.forgetWaiting();
    line.restUntilMs = held.heldUntilMs;
  }

  /**
   * The next page of due deliveries at the endpoint. Deliveries that came into earlier pages come up by the list's own
   * rounds.
   */
  private async refill(line: EndpointLine): Promise<void> {
    const page = await this.parts.list.ofEndpoint(line.endpointId, line.merchantId, line.listedTo, LINE_LIMIT);
    line.isBehind = page.length === LINE_LIMIT;
    line.listedTo = line.isBehind ? page.at(-1) : undefined;
    for (const { id } of page) if (!line.underWay.has(id) && !this.isPaused(id)) line.add(id);
  }

  /** Begins the attempts that can begin: an endpoint of each standing in turn. */
  private pump(): void {
    if (this.isStopped || this.closedUntilMs > this.parts.clock.now()) return;
    for (let hasBegun = true; hasBegun;) {
      hasBegun = false;
      for (const turn of STANDINGS) {
        // No more merchants are passed over than hold places, however many wait.
        if (!this.places.hasRoom(turn)) continue;
        const line = this.turns[turn].take(merchantId => this.places.mayTake(merchantId, turn));
        if (!line) continue;
        line.turn = null;
        this.begin(line);
        hasBegun = true;
      }
    }
  }

  private begin(line: EndpointLine): void {
    const deliveryId = this.parts.leases.isValid(line.lease) ? line.begin() : null;
    if (deliveryId !== null) {
      this.places.take(line.merchantId, line.circuit.standing);
      this.work(this.attempt(line, deliveryId));
    }
    // The line is also arranged where its lease has lapsed while it waited: the lease is taken again.
    this.arrange(line);
  }

  private async attempt(line: EndpointLine, deliveryId: string): Promise<void> {
    let isMore = false;
    try {
      const attempted = await this.parts.delivery.attempt(this.parts.mode, deliveryId);
      this.faultPauses.forget(deliveryId);
      isMore = attempted.isMore;
      await this.learn(line, deliveryId, attempted);
    } catch (error) {
      isMore = this.isTriedAgain(deliveryId, error);
    } finally {
      this.places.release(line.merchantId, line.circuit.standing);
      line.end(deliveryId, isMore);
      this.advance(line);
    }
  }

  /** A fault of one delivery puts that one off; where a store is away, all wait. */
  private isTriedAgain(deliveryId: string, error: unknown): boolean {
    if (this.isOutage(error)) return true;
    const { clock, log } = this.parts;
    const pauseMs = this.faultPauses.add(deliveryId, clock.now());
    log.error({ delivery: deliveryId, retry_in_ms: pauseMs, err: error }, 'a webhook delivery failed by a fault');
    return false;
  }

  /** Whether a store is away: then nothing is begun for a while, and that is told once. */
  private isOutage(error: unknown): boolean {
    if (outageOf(error) !== 'engine') return false;
    const { clock, log, mode } = this.parts;
    const now = clock.now();
    if (this.closedUntilMs <= now) log.warn({ mode, err: error }, 'webhook deliveries wait for the stores');
    this.closedUntilMs = now + OUTAGE_PAUSE_MS;
    return true;
  }

  private async learn(line: EndpointLine, deliveryId: string, { wasDue, outcome }: Attempted): Promise<void> {
    const { writes, mode } = this.parts;
    // The list was behind the stream: without this, it would name the delivery for ever.
    if (!wasDue) await writes.renewMirrors(webhookDeliveries, mode, deliveryId);
    else if (outcome) this.turnTo(line, afterOutcome(line.circuit, outcome));
  }

  private turnTo(line: EndpointLine, circuit: Circuit): void {
    const before = line.circuit;
    line.circuit = circuit;
    this.places.move(line.merchantId, line.underWay.size, before.standing, circuit.standing);
    line.isCircuitNew ||= before.standing !== circuit.standing || before.timeouts !== circuit.timeouts;
  }

  private work(done: Promise<void>): void {
    this.working.add(done);
    void done.finally(() => this.working.delete(done));
  }
}

function rungBy({ id, body }: DueDelivery): Rung {
  return { deliveryId: id, merchantId: body.merchant_id ?? '' };
}
