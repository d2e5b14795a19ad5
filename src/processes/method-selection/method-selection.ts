import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoTime, MINUTE_MS } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { MethodTerms } from '../../vocabulary/method-terms';
import type { RecordedEvent } from '../../kernel/event';
import { isTokenId, tokenIdRefusal, TOKENS, type Token } from '../../vocabulary/tokens';
import { NETWORKS } from '../../vocabulary/networks';
import type { Loaded } from '../../kernel/loaded';
import { ownerOf, type WritePath } from '../../kernel/write-path';
import type { VelocityCounts } from '../../modules/controls/velocity-counts';
import { SelectMethod } from '../../modules/payment-intents/commands/select-method.command';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent, Quote } from '../../modules/payment-intents/payment-intent.events';
import { QUOTE_TTL_MS, RESERVED_MS } from '../../modules/payment-intents/quote-times';
import { refusedTrigger } from '../../modules/payment-intents/payment-intent.refused-triggers';
import type { ExistingPaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { dollarMinorUnits, finalityTier } from '../../modules/quotes/price';
import type { AmountReservation, ReservedAmount } from './amount-reservation';
import type { Payable, SelectionChecks } from './selection-checks';
import type { UnpaidQuota } from './unpaid-quota';

/** A selection that is tried again so soon keeps the amount, and the quarter of an hour, that it began with. */
const RETRY_MS = MINUTE_MS;

type Own = Loaded<ExistingPaymentIntent, PaymentIntentEvent>;
type Open = Loaded<Extract<ExistingPaymentIntent, { readonly quote: null }>, PaymentIntentEvent>;

/**
 * Locks a quote: reserves a unique amount first, then records the method. A process that loses the second gives the
 * first back at once.
 */
export class MethodSelection {
  constructor(
    private readonly writes: WritePath,
    private readonly checks: SelectionChecks,
    private readonly reservations: AmountReservation,
    /** Null: customers hold as many amounts as they like. */
    private readonly quota: UnpaidQuota | null = null,
    private readonly velocity: Pick<VelocityCounts, 'counting'> | null = null,
  ) {}

  /**
   * Answers the payment's whole history. A wallet of null stands for the one that the token's route names. Throws
   * Refusal rate_limit where the customer holds too many amounts, and where the wallet is over its limit.
   */
  async select(
    paymentIntent: string,
    tokenId: string,
    walletId: string | null,
    terms: MethodTerms,
    context: MerchantContext,
  ): Promise<readonly RecordedEvent[]> {
    const { merchantId } = context;
    if (!isTokenId(tokenId)) throw refuse(tokenIdRefusal(tokenId), { param: 'token_id' });
    const token = TOKENS[tokenId];
    const loaded = await this.load(paymentIntent, merchantId, context);
    if (isSelectedBy(loaded, context)) return loaded.history;
    const open = requireOpen(loaded);
    const payment = { mode: context.universe, merchantId, terms: open.state.terms };
    const payable = await this.checks.payable(payment, token, walletId, terms);
    const lock = () => this.ofWallet(token, payable, paymentIntent, context, open);
    return isStrangers(open, context) ? this.counted(paymentIntent, context, lock) : lock();
  }

  private ofWallet(token: Token, payable: Payable, paymentIntent: string, context: MerchantContext, open: Open) {
    const lock = () => this.lock(token, payable, paymentIntent, context, open);
    const { velocity, wallet, priceBaseUnits: price, dollarRate } = payable;
    if (velocity === null || this.velocity === null) return lock();
    const subject = { mode: context.universe, kind: 'wallet', id: wallet.id } as const;
    const amountUsdMinorUnits = dollarMinorUnits(price, dollarRate, token.decimals);
    // Two selections of one payment may come at once, and the one that is refused counts no more.
    const counted = { name: context.commandId, amountUsdMinorUnits, nowMs: context.now };
    return this.velocity.counting(velocity, subject, counted, lock);
  }

  private async counted(
    paymentIntent: string,
    context: MerchantContext,
    lock: () => Promise<readonly RecordedEvent[]>,
  ): Promise<readonly RecordedEvent[]> {
    await this.quota?.count(paymentIntent, RESERVED_MS, context);
    try {
      return await lock();
    } catch (error) {
      // Without an answer of the log the quote may stand.
      if (isRefusal(error)) await this.quota?.discount(context);
      throw error;
    }
  }

  private async lock(
    token: Token,
    payable: Payable,
    paymentIntent: string,
    context: MerchantContext,
    open: Open,
  ): Promise<readonly RecordedEvent[]> {
    const { merchantId } = context;
    const { wallet, rate, dollarRate, observations, priceBaseUnits: price, toleranceBps } = payable;
    const { id: walletId, address, dedicated } = wallet;
    const reservedUntilMs = context.now + RESERVED_MS;
    const request = { token, address, walletId, paymentIntent, merchantId, priceBaseUnits: price, reservedUntilMs };
    const reserved = await this.reservations.reserve({ ...request, olderByMs: RETRY_MS, purpose: 'quote' }, context);
    const quotedAtMs = reserved.reservedUntilMs - RESERVED_MS;
    const tier = finalityTier(token, price, dollarRate);
    const quote: Quote = {
      token_id: token.id,
      network_id: token.network,
      wallet_id: walletId,
      address,
      price_base_units: price.toString(),
      due_base_units: reserved.amountBaseUnits.toString(),
      slot: reserved.slot.toString(),
      rate,
      observations,
      quoted_at: isoTime(quotedAtMs),
      quote_expires_at: isoTime(quotedAtMs + QUOTE_TTL_MS),
      reserved_until: isoTime(reserved.reservedUntilMs),
      tolerance_bps: toleranceBps,
      required_confirmations: NETWORKS[token.network].finality[context.universe][tier].confirmations,
      finality_tier: tier,
      dedicated,
    };
    return this.record(paymentIntent, quote, reserved, context, open);
  }

  private async load(paymentIntent: string, merchantId: string, { universe }: MerchantContext): Promise<Own> {
    const { state, ...loaded } = await this.writes.load(paymentIntents, universe, paymentIntent);
    const isOwn = state.status !== 'none' && ownerOf(paymentIntents, loaded) === merchantId;
    if (!isOwn) throw refuse('payment_not_found');
    return { state, ...loaded };
  }

  private async record(
    id: string,
    quote: Quote,
    reserved: ReservedAmount,
    context: MerchantContext,
    known: Open,
  ): Promise<readonly RecordedEvent[]> {
    try {
      const selected = await this.writes.execute(paymentIntents, id, { type: 'select_method', quote }, context, known);
      return selected.history;
    } catch (error) {
      // Without an answer of the log the quote may stand, and its amount be shown: then it stays reserved to its end.
      if (isRefusal(error)) await this.reservations.releaseUnused(reserved, id, context);
      throw error;
    }
  }
}

@CommandHandler(SelectMethod)
export class SelectMethodHandler implements ICommandHandler<SelectMethod> {
  constructor(private readonly selection: MethodSelection) {}

  execute({ paymentIntent, tokenId, walletId, terms, context }: SelectMethod): Promise<readonly RecordedEvent[]> {
    return this.selection.select(paymentIntent, tokenId, walletId, terms, context);
  }
}

/** Whether this very command has selected the method already. */
function isSelectedBy({ history }: Own, { commandId }: MerchantContext): boolean {
  return history.some(event => event.metadata.command_id === commandId);
}

/** Whether a customer without a key has opened the payment, and now selects its method. */
function isStrangers({ history }: Open, { actor }: MerchantContext): boolean {
  return actor.role === 'checkout' && history[0]?.metadata.actor.role === 'checkout';
}

/** Throws Refusal invalid_state_transition for a payment that does not wait for its method. */
function requireOpen({ state, ...loaded }: Own): Open {
  if (state.status !== 'created')
    throw refuse('invalid_state_transition', { message: refusedTrigger(state.status, 'select_method') });
  return { state, ...loaded };
}
