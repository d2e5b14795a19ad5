import { refuse } from '../../vocabulary/errors';
import type { Mode } from '../../vocabulary/modes';
import { isId } from '../../vocabulary/ids';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { Token, TokenId } from '../../vocabulary/tokens';
import type { NetworkId, NetworkSight } from '../../vocabulary/networks';
import type { WritePath } from '../../kernel/write-path';
import { routes } from '../../modules/routes/routes.decider';
import { assertWatched } from '../../modules/wallets/commands/assert-watched';
import type { Rates } from '../../modules/quotes/rate-book';
import { assertPayable } from '../../modules/wallets/payable-wallet';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import type { PayableWallet, PaymentTerms } from './selection-checks';

/** The frontier of a network. */
interface Coverage {
  sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight>;
}

/** Payment terms from the read models and the latest rates: nothing here asks a provider. */
export class StoredPaymentTerms implements PaymentTerms {
  constructor(
    private readonly writes: WritePath,
    private readonly readModels: ReadModels,
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

  async routesOf(mode: Mode, merchantId: string): Promise<ReadonlyMap<TokenId, string>> {
    // The routes come from the stream, which holds all routes of a merchant and is not named after one. Their documents
    // may lag behind an answer.
    const { state } = await this.writes.load(routes, mode, merchantId);
    return new Map(Object.values(state.byId).map(route => [route.token_id, route.wallet_id]));
  }

  sightOf(mode: Mode, network: NetworkId): Promise<NetworkSight> {
    return this.coverage.sightOf(mode, network);
  }

  rate(mode: Mode, token: Token, currency: string) {
    return this.rates.quote(mode, token.asset, currency);
  }
}
