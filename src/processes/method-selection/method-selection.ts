import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isoTime, MINUTE_MS } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import { isRefusal, refuse } from '../../vocabulary/errors';
import type { RecordedEvent } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { isTokenId, tokenIdRefusal, TOKENS, type Token, type TokenId } from '../../vocabulary/tokens';
import { NETWORKS, type NetworkId } from '../../vocabulary/networks';
import type { Loaded } from '../../kernel/loaded';
import { ownerOf, type WritePath } from '../../kernel/write-path';
import { SelectMethod } from '../../modules/payment-intents/commands/select-method.command';
import { MONITORING_WINDOW_MS, paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import type { PaymentIntentEvent, Quote } from '../../modules/payment-intents/payment-intent.events';
import type { PaymentIntent } from '../../modules/payment-intents/payment-intent.state';
import { finalityTier, priceBaseUnits } from '../../modules/quotes/price';
import type { QuotedRate } from '../../modules/quotes/quote-rate';
import type { AmountReservation, ReservedAmount } from './amount-reservation';

export const QUOTE_TTL_MS = 15 * MINUTE_MS;
/** A selection that is tried again so soon keeps the amount, and the quarter of an hour, that it began with. */
const RETRY_MS = MINUTE_MS;
/** A network that is behind is asked for again after so many seconds. */
const BEHIND_RETRY_SECONDS = 60;

type Own = Loaded<PaymentIntent, PaymentIntentEvent>;
type Open = Loaded<Extract<PaymentIntent, { readonly quote: null }>, PaymentIntentEvent>;

export type PayableWallet = {
  readonly id: string;
  readonly network: NetworkId;
  readonly address: string;
  readonly dedicated: boolean;
};
export type MerchantTerms = { readonly enabledTokens: readonly TokenId[]; readonly toleranceBps: number };

/** The wallets, routes, settings and rates by which a method is selected. */
export interface PaymentTerms {
  /**
   * A wallet at which the network's watcher looks. Throws Refusal wallet_not_found, wallet_not_owned, network_mismatch
   * or wallet_not_verified; provider_unavailable while the watcher's list lacks it.
   */
  verifiedWallet(mode: Mode, merchantId: string, walletId: string, network: NetworkId): Promise<PayableWallet>;
  /** The wallet that the merchant's active route names for the token; null without a route. */
  routedWalletId(mode: Mode, merchantId: string, token: Token): Promise<string | null>;
  merchantTerms(mode: Mode, merchantId: string): Promise<MerchantTerms>;
  /**
   * False where no process watches the network in this mode, or has begun to: a payment there now would not be seen.
   */
  isWatched(mode: Mode, network: NetworkId): Promise<boolean>;
  /** False where the network's watcher is too far behind, or stands still: a payment there now would be seen late. */
  isCurrent(mode: Mode, network: NetworkId): Promise<boolean>;
  /** Throws Refusal insufficient_rate_sources or rate_divergence. */
  rate(mode: Mode, token: Token, currency: string): QuotedRate;
}

/**
 * Locks a quote: reserves a unique amount first, then records the method. A process that loses the second gives the
 * first back at once.
 */
export class MethodSelection {
  constructor(
    private readonly writes: WritePath,
    private readonly terms: PaymentTerms,
    private readonly reservations: AmountReservation,
  ) {}

  /** Answers the payment's whole history. */
  async select(
    paymentIntent: string,
    tokenId: string,
    walletId: string,
    context: MerchantContext,
  ): Promise<readonly RecordedEvent[]> {
    const { merchantId } = context;
    if (!isTokenId(tokenId)) throw refuse(tokenIdRefusal(tokenId), { param: 'token_id' });
    const token = TOKENS[tokenId];
    const loaded = await this.load(paymentIntent, merchantId, context);
    if (isSelectedBy(loaded, context)) return loaded.history;
    const open = requireOpen(loaded);
    const { terms } = open.state;
    const { enabledTokens, toleranceBps } = await this.terms.merchantTerms(context.universe, merchantId);
    if (!enabledTokens.includes(token.id)) throw refuse('token_not_enabled', { param: 'token_id' });
    const { address, dedicated } = await this.payableWallet(context.universe, merchantId, token, walletId);
    const { rate, dollarRate, observations } = this.terms.rate(context.universe, token, terms.currency);
    const amount = BigInt(terms.amount_minor_units);
    const price = priceBaseUnits(amount, terms.currency_decimals, rate, token.decimals);
    if (price < token.floorBaseUnits) throw refuse('amount_too_small', { param: 'token_id' });
    const reservedForMs = QUOTE_TTL_MS + MONITORING_WINDOW_MS;
    const reservedUntilMs = context.now + reservedForMs;
    const request = { token, address, walletId, paymentIntent, merchantId, priceBaseUnits: price, reservedUntilMs };
    const reserved = await this.reservations.reserve({ ...request, olderByMs: RETRY_MS, purpose: 'quote' }, context);
    const quotedAtMs = reserved.reservedUntilMs - reservedForMs;
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
    const loaded = await this.writes.load(paymentIntents, universe, paymentIntent);
    const isOwn = loaded.state.status !== 'none' && ownerOf(paymentIntents, loaded) === merchantId;
    if (!isOwn) throw refuse('payment_not_found');
    return loaded;
  }

  private async payableWallet(mode: Mode, merchantId: string, token: Token, walletId: string): Promise<PayableWallet> {
    if (!(await this.terms.isWatched(mode, token.network))) throw refuse('unsupported_network', { param: 'token_id' });
    const wallet = await this.terms.verifiedWallet(mode, merchantId, walletId, token.network);
    const routed = await this.terms.routedWalletId(mode, merchantId, token);
    if (routed !== wallet.id)
      throw refuse('no_route_configured', { param: 'wallet_id', message: otherRoute(token, routed, wallet.id) });
    if (!(await this.terms.isCurrent(mode, token.network)))
      throw refuse('provider_unavailable', {
        message: `${NETWORKS[token.network].name} is read too far behind its head to take quotes; try again later.`,
        retryAfterSeconds: BEHIND_RETRY_SECONDS,
      });
    return wallet;
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

  execute({ paymentIntent, tokenId, walletId, context }: SelectMethod): Promise<readonly RecordedEvent[]> {
    return this.selection.select(paymentIntent, tokenId, walletId, context);
  }
}

/** Whether this very command has selected the method already. */
function isSelectedBy({ history }: Own, { commandId }: MerchantContext): boolean {
  return history.some(event => event.metadata.command_id === commandId);
}

/** Throws Refusal invalid_state_transition for a payment that does not wait for its method. */
function requireOpen({ state, ...loaded }: Own): Open {
  if (state.status !== 'created') throw refuse('invalid_state_transition');
  return { state, ...loaded };
}

function otherRoute({ asset, network }: Token, routed: string | null, walletId: string): string {
  if (routed === null) return `There is no route for ${asset} on ${network}: set one with PUT /v1/routes.`;
  return `The route for ${asset} on ${network} names ${routed}, not ${walletId}.`;
}
