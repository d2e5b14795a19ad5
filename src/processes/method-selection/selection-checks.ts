import { isRefusal, refuse, type ErrorCode } from '../../vocabulary/errors';
import type { MethodTerms } from '../../vocabulary/method-terms';
import type { Mode } from '../../vocabulary/modes';
import { NETWORKS, type NetworkId, type NetworkSight } from '../../vocabulary/networks';
import type { VelocityLimit } from '../../vocabulary/payment-limits';
import { formatTokenAmount, TOKEN_IDS, TOKENS, type Token, type TokenId } from '../../vocabulary/tokens';
import type { Offer } from '../../modules/checkout/queries/checkout-view';
import type { Terms } from '../../modules/payment-intents/payment-intent.state';
import { priceBaseUnits } from '../../modules/quotes/price';
import type { QuotedRate } from '../../modules/quotes/quote-rate';

/** A network that is behind is asked for again after so many seconds. */
const BEHIND_RETRY_SECONDS = 60;

export type PayableWallet = {
  readonly id: string;
  readonly network: NetworkId;
  readonly address: string;
  readonly dedicated: boolean;
};

/** The wallets, routes, sights and rates by which a method is selected. */
export interface PaymentTerms {
  /**
   * A wallet at which the network's watcher looks. Throws Refusal wallet_not_found, wallet_not_owned, network_mismatch
   * or wallet_not_verified; provider_unavailable while the watcher's list lacks it.
   */
  verifiedWallet(mode: Mode, merchantId: string, walletId: string, network: NetworkId): Promise<PayableWallet>;
  /** The wallets that the merchant's active routes name. A token without a route is missing. */
  routesOf(mode: Mode, merchantId: string): Promise<ReadonlyMap<TokenId, string>>;
  /** How the network's watcher in this mode would see a payment now. */
  sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight>;
  /** Throws Refusal insufficient_rate_sources or rate_divergence. */
  rate(mode: Mode, token: Token, currency: string): QuotedRate;
}

/** The payment that a method is selected for. */
type PaymentToPay = { readonly mode: Mode; readonly merchantId: string; readonly terms: Terms };

/** The price of a payment in a token, at a wallet where the payment can be made now. */
export type Payable = QuotedRate & {
  readonly wallet: PayableWallet;
  readonly priceBaseUnits: bigint;
  readonly toleranceBps: number;
  readonly velocity: VelocityLimit | null;
};

/** The checks of a selection, in their order. An offer at checkout passes the very same ones. */
export class SelectionChecks {
  constructor(private readonly terms: PaymentTerms) {}

  /** A wallet of null stands for the one that the token's route names. Throws the refusal of the first failed check. */
  async payable(payment: PaymentToPay, token: Token, walletId: string | null, own: MethodTerms): Promise<Payable> {
    const routed = async () => (await this.terms.routesOf(payment.mode, payment.merchantId)).get(token.id) ?? null;
    return this.checked(payment, token, walletId, own, routed);
  }

  /** A token of each of the merchant's routes, and the refusal that its selection would meet now. */
  async offers(payment: PaymentToPay, own: MethodTerms): Promise<readonly Offer[]> {
    const routes = await this.terms.routesOf(payment.mode, payment.merchantId);
    const offers: Offer[] = [];
    for (const token of TOKEN_IDS.map(id => TOKENS[id])) {
      const walletId = routes.get(token.id);
      if (walletId === undefined) continue;
      const checked = await orRefusal(this.checked(payment, token, walletId, own, async () => walletId));
      const { id: tokenId, asset, network } = token;
      const isPayable = typeof checked !== 'string';
      offers.push({
        ...{ tokenId, asset, network, networkName: NETWORKS[network].name, walletId },
        tokenAmount: isPayable ? formatTokenAmount(token, checked.priceBaseUnits) : null,
        unavailable: isPayable ? null : checked,
      });
    }
    return offers;
  }

  private async checked(
    { mode, merchantId, terms }: PaymentToPay,
    token: Token,
    walletId: string | null,
    { enabledTokens, stoppedTokens, toleranceBps, walletVelocity: velocity }: MethodTerms,
    routedWalletId: () => Promise<string | null>,
  ): Promise<Payable> {
    if (!enabledTokens.includes(token.id)) throw refuse('token_not_enabled', { param: 'token_id' });
    if (stoppedTokens.includes(token.id)) throw refuse('token_disabled', { param: 'token_id' });
    const sight = await this.terms.sightOf(mode, token.network);
    if (sight === 'none') throw refuse('unsupported_network', { param: 'token_id' });
    const named = walletId ?? (await routedWalletId());
    if (named === null) throw refuse('wallet_not_found', { param: 'wallet_id' });
    const wallet = await this.terms.verifiedWallet(mode, merchantId, named, token.network);
    const routed = walletId === null ? named : await routedWalletId();
    if (routed !== wallet.id)
      throw refuse('no_route_configured', { param: 'wallet_id', message: otherRoute(token, routed, wallet.id) });
    if (sight === 'late')
      throw refuse('provider_unavailable', {
        message: `${NETWORKS[token.network].name} is read too far behind its head to take quotes; try again later.`,
        retryAfterSeconds: BEHIND_RETRY_SECONDS,
      });
    const quoted = this.terms.rate(mode, token, terms.currency);
    const amount = BigInt(terms.amount_minor_units);
    const price = priceBaseUnits(amount, terms.currency_decimals, quoted.rate, token.decimals);
    if (price < token.floorBaseUnits) throw refuse('amount_too_small', { param: 'token_id' });
    return { ...quoted, wallet, priceBaseUnits: price, toleranceBps, velocity };
  }
}

/** The code of the refusal, where a check fails. */
async function orRefusal(checking: Promise<Payable>): Promise<Payable | ErrorCode> {
  try {
    return await checking;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

function otherRoute({ asset, network }: Token, routed: string | null, walletId: string): string {
  if (routed === null) return `There is no route for ${asset} on ${network}: set one with PUT /v1/routes.`;
  return `The route for ${asset} on ${network} names ${routed}, not ${walletId}.`;
}
