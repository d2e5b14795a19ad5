import type { AccessReader } from '../../kernel/access-reader';
import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { isId } from '../../vocabulary/ids';
import type { ReadModels } from '../../kernel/ports/read-models';
import { TOKEN_IDS, TOKENS, type Token } from '../../vocabulary/tokens';
import type { NetworkId, NetworkSight } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { velocityAsked, velocityOf } from '../../modules/controls/velocity-limits.read-model';
import { killSwitchAsked, stops } from '../../modules/kill-switches/kill-switches.read-model';
import { settingsAsked, settingsOf } from '../../modules/merchants/merchant-settings.read-model';
import { routes } from '../../modules/routes/routes.decider';
import { assertWatched } from '../../modules/wallets/commands/assert-watched';
import { routeId } from '../../modules/routes/route-id';
import type { Rates } from '../../modules/quotes/rate-book';
import { assertPayable } from '../../modules/wallets/payable-wallet';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import type { MerchantTerms, PayableWallet, PaymentTerms } from './selection-checks';

/** The switches that stop a token, whoever the merchant is. */
function switchesOf({ network, asset }: Token) {
  return [killSwitchAsked('network', network), killSwitchAsked('asset', asset)];
}

/** The switches of all tokens, each once. */
const SWITCHES = [...new Map(TOKEN_IDS.flatMap(id => switchesOf(TOKENS[id])).map(asked => [asked.id, asked])).values()];

/** The frontier of a network. */
interface Coverage {
  sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight>;
}

/** Payment terms from the read models and the latest rates: nothing here asks a provider. */
export class StoredPaymentTerms implements PaymentTerms {
  constructor(
    private readonly writes: WritePath,
    private readonly readModels: ReadModels,
    private readonly access: AccessReader,
    private readonly rates: Rates,
    private readonly coverage: Coverage,
  ) {}

  async verifiedWallet(mode: Mode, merchantId: string, walletId: string, network: NetworkId): Promise<PayableWallet> {
    const wallet = isId('wal', walletId) ? await this.readModels.get(walletsReadModel, mode, walletId) : null;
    if (wallet?.body.mode !== mode) throw refuse('wallet_not_found', { param: 'wallet_id' });
    const { merchant_id, network_id, address, dedicated } = wallet.body;
    if (merchant_id !== merchantId) throw refuse('wallet_not_owned', { param: 'wallet_id' });
    if (network_id !== network) throw refuse('network_mismatch', { param: 'wallet_id' });
    assertPayable(wallet.body);
    // The wallet was read up to its stream's end, but its watcher goes by a list that may be behind. A watcher
    // would not see payments to a wallet that the list lacks.
    await assertWatched(this.writes, this.readModels, { id: walletId, mode, network, address });
    return { id: walletId, network: network_id, address, dedicated };
  }

  async routedWalletId(mode: Mode, merchantId: string, token: Token): Promise<string | null> {
    // The routes come from the stream, which holds all routes of a merchant and is not named after one. Their documents
    // may lag behind an answer.
    const { state } = await this.writes.load(routes, mode, merchantId);
    return state.byId[routeId(mode, merchantId, token.asset, token.network)]?.wallet_id ?? null;
  }

  async merchantTerms(mode: Mode, merchantId: string): Promise<MerchantTerms> {
    const asked = [...settingsAsked(mode, merchantId), velocityAsked('wallet'), ...SWITCHES] as const;
    const [merchant, own, velocity, ...switches] = await this.access.read(asked);
    if (!merchant) throw refuse('merchant_not_found');
    const { enabled_tokens: enabledTokens, payment_tolerance_bps: toleranceBps } = settingsOf(merchant.body, own?.body);
    const isStopped = (id: string) => switches.some(found => found?.id === id && stops(found.body, mode));
    const stoppedTokens = TOKEN_IDS.filter(id => switchesOf(TOKENS[id]).some(each => isStopped(each.id)));
    return { enabledTokens, stoppedTokens, toleranceBps, walletVelocity: velocityOf(velocity?.body) };
  }

  sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight> {
    return this.coverage.sightOf(mode, network);
  }

  rate(mode: Mode, token: Token, currency: string) {
    return this.rates.quote(mode, token.asset, currency);
  }
}
