import { isRefusal } from '../../src/vocabulary/errors';
import type { ActorRole } from '../../src/kernel/event';
import { OutcomeUnknown, StoreUnavailable } from '../../src/kernel/ports/event-store';
import { withCommand, type MerchantContext } from '../../src/kernel/command-context';
import {
  CreatePaymentIntent,
  CreatePaymentIntentHandler,
} from '../../src/modules/payment-intents/commands/create-payment-intent.command';
import {
  CancelPaymentIntent,
  CancelPaymentIntentHandler,
} from '../../src/modules/payment-intents/commands/cancel-payment-intent.command';
import {
  DecideReview,
  DecideReviewHandler,
  type ReviewDecision,
} from '../../src/modules/payment-intents/commands/decide-review.command';
import { paymentIntents } from '../../src/modules/payment-intents/payment-intent.decider';
import { composeFees } from '../../src/composition/fees';
import type { Service } from '../../src/composition/service';
import { transferId } from '../../src/modules/transfers/transfer.decider';
import type { NamingSide } from '../../src/modules/transfers/naming.events';
import type { TransferKey } from '../../src/modules/transfers/transfer.events';
import { webhookEndpoints } from '../../src/modules/webhooks/webhook-endpoint.decider';
import { TOKEN_IDS } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import { routes } from '../../src/modules/routes/routes.decider';
import type { Outside } from './outside';
import type { Payment } from './payers';
import type { Scheduler } from './scheduler';
import { TOKEN_OF } from './setting';
import { openWallet, routesTo, simulatedContext, type Shop } from './shops';
import type { SimulatedProcess } from './simulated-process';
import { DEFAULT_PAYMENT_LIMITS } from '../support/payment-limits';
import { methodTermsNow } from '../support/payment-terms';

/** An answer that a client got: it must be in the log ever after. */
export type Acknowledged = { readonly paymentIntent: string; readonly event: string; readonly shop: Shop };

/** A process that has started. */
export type Ready = SimulatedProcess & { readonly service: Service };
type Request = {
  readonly id: string;
  readonly startedAt: number;
  readonly shop: Shop;
  readonly role: ActorRole;
  readonly run: (process: Ready, context: MerchantContext) => Promise<Acknowledged | null>;
  /** No process has had the request in its hands. */
  isFirstTry: boolean;
};

export type Order = { readonly amountMinorUnits: bigint; readonly currency: string };

/** Refusals that invite the same request again. */
const TRANSIENT = ['internal_error', 'provider_unavailable', 'provider_response_invalid', 'unsupported_network'];

/**
 * Merchants' programs: they ask under an id of their own, wait for the answer, and ask again under the same id where
 * none came.
 */
export class Clients {
  readonly acknowledged: Acknowledged[] = [];
  private readonly unanswered = new Set<Request>();
  private requests = 0;

  constructor(
    private readonly outside: Outside,
    private readonly scheduler: Scheduler,
    private readonly current: () => SimulatedProcess,
  ) {}

  create(shop: Shop, network: NetworkId, order: Order): void {
    this.ask(shop, 'api', async (process, context) => {
      const { rates, core } = process.service.parts;
      const { writes, secretBox } = core;
      const handler = new CreatePaymentIntentHandler(writes, rates, secretBox, process.service.parts.payments.velocity);
      const whole = {
        ...order,
        metadata: {},
        description: null,
        successUrl: null,
        account: {
          enabledTokens: TOKEN_IDS,
          defaultSuccessUrl: null,
          isPaused: false,
          limits: DEFAULT_PAYMENT_LIMITS,
        },
      };
      const { id: paymentIntent } = await handler.execute(new CreatePaymentIntent(whole, context));
      this.select(shop, paymentIntent, network);
      return { paymentIntent, event: 'PaymentIntentCreated', shop };
    });
  }

  /** A merchant adds a wallet, and quotes on it as soon as it is its network's. */
  addWallet(shop: Shop, networkId: NetworkId, address: string, order: Order): void {
    this.ask(shop, 'merchant', async ({ core: { writes } }, context) => {
      const { merchantId, walletIds, setting } = shop;
      const owner = { merchantId, mode: setting.mode };
      const step = (name: string) => withCommand(context, name);
      const id = await openWallet(writes, { ...owner, networkId, address }, step);
      await writes.execute(routes, merchantId, routesTo({ ...walletIds, [networkId]: id }, owner), step('routes'));
      walletIds[networkId] = id;
      this.create(shop, networkId, order);
      return null;
    });
  }

  select(shop: Shop, paymentIntent: string, network: NetworkId): void {
    this.ask(shop, 'api', async ({ core, service }, context) => {
      const walletId = shop.walletIds[network] ?? '';
      const methodTerms = await methodTermsNow(core.access, context.universe, context.merchantId);
      const { selection } = service.parts.payments;
      await selection.select(paymentIntent, TOKEN_OF[network], walletId, methodTerms, context);
      return { paymentIntent, event: 'MethodSelected', shop };
    });
  }

  cancel(shop: Shop, paymentIntent: string): void {
    this.ask(shop, 'merchant', async ({ core }, context) => {
      await new CancelPaymentIntentHandler(core.writes).execute(new CancelPaymentIntent(paymentIntent, context));
      return { paymentIntent, event: 'PaymentCanceled', shop };
    });
  }

  decide(shop: Shop, paymentIntent: string, decision: ReviewDecision): void {
    this.ask(shop, 'merchant', async ({ core, service }, context) => {
      const handler = new DecideReviewHandler(core.writes, service.parts.payments.canonicalBlocks);
      await handler.execute(new DecideReview(paymentIntent, decision, context));
      const isRejected = decision.type === 'resolve' && decision.resolution === 'rejected';
      return { paymentIntent, event: isRejected ? 'ReviewResolved' : 'PaymentConfirmed', shop };
    });
  }

  /**
   * A person names the transaction that pays the payment, and the log where it has several; the processes show the
   * outcome.
   */
  name(
    shop: Shop,
    paymentIntent: string,
    { txHash: text, network }: Payment,
    logIndex: number | null,
    side: NamingSide,
  ): void {
    this.ask(shop, side, async ({ service }, context) => {
      const named = await service.parts.payments.matching.naming.name(paymentIntent, { text, logIndex }, side, context);
      const isAnother = (ordinal: number): boolean =>
        named.kind === 'attributed' && named.transferId !== transferId({ network, txHash: text, ordinal });
      if (logIndex !== null && isAnother(logIndex))
        this.outside.unexpected.push(`log ${logIndex} of ${text} was named, and ${paymentIntent} was given another`);
      return { paymentIntent, event: 'MethodSelected', shop };
    });
  }

  /** An administrator gives the transfer to the payment, or opens again a transfer that no payment could take. */
  resolve(shop: Shop, paymentIntent: string, key: TransferKey, isReopened: boolean): void {
    this.ask(shop, 'admin', async ({ service }, asked) => {
      const context = { ...asked, merchantId: null };
      const { decisions } = service.parts.payments.matching;
      if (isReopened) await decisions.reopen(key, 'looked at again', context);
      else await decisions.resolve(key, paymentIntent, 'the payer called', context);
      return { paymentIntent, event: isReopened ? 'MethodSelected' : 'TransferDetected', shop };
    });
  }

  /** A merchant turns one of its endpoints off, or on again. */
  turn(shop: Shop, endpointId: string, status: 'enabled' | 'disabled'): void {
    this.ask(shop, 'merchant', async ({ core }, context) => {
      await core.writes.execute(webhookEndpoints, endpointId, { type: 'change', changes: { status } }, context);
      return null;
    });
  }

  /** An operator invoices what is outstanding, and does not come back. Test mode is never invoiced. */
  invoiceFees(shop: Shop, currency: string): void {
    if (shop.setting.mode !== 'live') return;
    const request = this.request(shop, 'admin', async ({ core }, context) => {
      await composeFees(core).billing.invoice(currency, { ...context, universe: 'live' });
      return null;
    });
    this.send(request);
  }

  adjustFees(shop: Shop, { amountMinorUnits, currency }: Order): void {
    this.ask(shop, 'admin', async ({ core }, context) => {
      const adjustment = { amountMinorUnits, currency, paymentIntent: null, memo: 'looked at again' };
      await composeFees(core).billing.adjust(adjustment, context);
      return null;
    });
  }

  liftHold(shop: Shop, paymentIntent: string, type: 'release_hold' | 'reject_hold'): void {
    this.ask(shop, 'compliance', async ({ core }, context) => {
      const command = { type, reason: 'looked into', proposedBy: context.actor.id, approvedBy: 'adm_2' } as const;
      await core.writes.execute(paymentIntents, paymentIntent, command, context);
      return { paymentIntent, event: type === 'release_hold' ? 'HoldReleased' : 'HoldRejected', shop };
    });
  }

  /** A client without an answer asks again. */
  askAgain(): void {
    for (const request of this.unanswered) this.send(request);
  }

  get isWaiting(): boolean {
    return this.unanswered.size > 0;
  }

  /** Asks under a new id, again and again until an answer comes. */
  ask(shop: Shop, role: ActorRole, run: Request['run']): void {
    const request = this.request(shop, role, run);
    this.unanswered.add(request);
    this.send(request);
  }

  private request(shop: Shop, role: ActorRole, run: Request['run']): Request {
    this.requests += 1;
    return { id: `request-${this.requests}`, startedAt: this.scheduler.nowMs, shop, role, run, isFirstTry: true };
  }

  private send(request: Request): void {
    const process = this.current();
    if (!process.service) return;
    const { id, startedAt, role, shop, isFirstTry } = request;
    request.isFirstTry = false;
    const context = simulatedContext(id, role, shop.setting.mode, shop.merchantId, this.scheduler.nowMs);
    request.run(process as Ready, { ...context, startedAt, isFirstTry }).then(
      acknowledged => {
        if (this.unanswered.delete(request) && acknowledged) this.acknowledged.push(acknowledged);
      },
      (error: unknown) => this.judge(request, error),
    );
  }

  private judge(request: Request, error: unknown): void {
    if (isRefusal(error) && !TRANSIENT.includes(error.code)) this.unanswered.delete(request);
    else if (!isRefusal(error) && !(error instanceof StoreUnavailable) && !(error instanceof OutcomeUnknown))
      this.outside.unexpected.push(
        `a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
  }
}
