import { deadlinesProjection, type DeadlineDocument } from '../../../projections/deadlines/deadlines.projection';
import { isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import { systemContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { isRefusal } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import type { Document } from '../../kernel/ports/documents';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { NetworkId } from '../../kernel/tokens';
import type { WritePath } from '../../kernel/write-path';
import { amountSlots } from '../../modules/amount-slots/amount-slot.decider';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';

const POLL_MS = 1_000;
/** Deadlines that one sweep takes of a kind; the rest wait for the next. */
const SWEEP_LIMIT = 200;

const KINDS = ['quote', 'reservation', 'delivery'] as const;

export type SweeperParts = {
  readonly modes: readonly Mode[];
  readonly readModels: ReadModels;
  readonly writes: WritePath;
  /** Moment up to which the network's chain has been scanned without a gap, in milliseconds; null when it is not watched. */
  readonly coveredUntil: (mode: Mode, network: NetworkId) => Promise<number | null>;
  readonly attemptDelivery: (mode: Mode, deliveryId: string) => Promise<void>;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly log: Log;
};

/** Sends the commands whose time has come. A quote expires, and an amount is free again, only once the chain is covered past that time. */
export class Sweeper {
  constructor(private readonly parts: SweeperParts) {}

  /** Resolves when `signal` aborts. Each kind has its own loop, so that receivers that hang do not hold up expiries. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(KINDS.map(kind => this.loop(kind, signal)));
  }

  async sweep(kind: DeadlineDocument['kind']): Promise<void> {
    for (const mode of this.parts.modes) {
      if (kind === 'quote') await this.each(mode, kind, deadline => this.expireQuote(mode, deadline));
      else if (kind === 'reservation') await this.each(mode, kind, deadline => this.releaseAmount(mode, deadline));
      else await this.each(mode, kind, deadline => this.parts.attemptDelivery(mode, deadline.subject));
    }
  }

  private async loop(kind: DeadlineDocument['kind'], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.sweep(kind);
      } catch (error) {
        this.parts.log.error({ kind, err: error }, 'sweep was interrupted');
      }
      await this.parts.clock.wait(POLL_MS, signal);
    }
  }

  private async each(
    mode: Mode,
    kind: DeadlineDocument['kind'],
    act: (deadline: DeadlineDocument) => Promise<void>,
  ): Promise<void> {
    const due = await this.parts.readModels.list(deadlinesProjection, {
      index: 'by_due',
      equals: { clock: mode, kind },
      range: { to: isoTime(this.parts.clock.now()) },
      limit: SWEEP_LIMIT,
    });
    // Each on its own: a receiver that hangs, or one broken stream, holds up none of the others.
    await Promise.all(due.map(deadline => this.safely(deadline, act)));
  }

  private async safely(
    { id, body }: Document<DeadlineDocument>,
    act: (deadline: DeadlineDocument) => Promise<void>,
  ): Promise<void> {
    try {
      await act(body);
    } catch (error) {
      this.parts.log.error({ stream: id, kind: body.kind, err: error }, 'deadline could not be met');
    }
  }

  private async expireQuote(mode: Mode, { subject, merchant_id: merchantId, due_at }: DeadlineDocument): Promise<void> {
    const { state } = await this.parts.writes.load(paymentIntents, mode, subject);
    if (state.status !== 'awaiting_payment') return;
    if (!(await this.isCovered(mode, state.quote.network_id, due_at))) return;
    await this.command(mode, merchantId, context =>
      this.parts.writes.execute(paymentIntents, subject, { type: 'expire' }, context),
    );
  }

  /** Also waits until the payment has no transfer short of its depth: that transfer may yet vanish and come again. */
  private async releaseAmount(mode: Mode, { subject, due_at }: DeadlineDocument): Promise<void> {
    const { state: slot } = await this.parts.writes.load(amountSlots, mode, subject);
    const last = slot.reservations.at(-1);
    if (!last || last.released !== null) return;
    const network = subject.slice(0, subject.indexOf(':')) as NetworkId;
    if (!(await this.isCovered(mode, network, due_at))) return;
    const { state: payment } = await this.parts.writes.load(paymentIntents, mode, last.payment_intent);
    const open = payment.status !== 'none' && payment.quote !== null ? Object.values(payment.ledger.transfers) : [];
    if (payment.status === 'awaiting_payment' || open.some(transfer => !transfer.final)) return;
    const release = { type: 'release', paymentIntent: last.payment_intent, reason: 'lapsed' } as const;
    await this.command(mode, last.merchant_id, context =>
      this.parts.writes.execute(amountSlots, subject, release, context),
    );
  }

  private async isCovered(mode: Mode, network: NetworkId, dueAt: string): Promise<boolean> {
    const coveredUntil = await this.parts.coveredUntil(mode, network);
    return coveredUntil !== null && coveredUntil > parseIsoTime(dueAt);
  }

  private async command(
    mode: Mode,
    merchantId: string | null,
    send: (context: ReturnType<typeof systemContext>) => Promise<unknown>,
  ): Promise<void> {
    const now = this.parts.clock.now();
    try {
      await send(systemContext(this.parts.entropy, { actor: 'sweeper', mode, merchantId, now }));
    } catch (error) {
      // Paid, or ended otherwise, between the reading and the decision.
      if (!isRefusal(error, 'invalid_state_transition')) throw error;
    }
  }
}
