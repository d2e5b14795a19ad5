import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MerchantContext } from '../../kernel/command-context';
import type { Mode } from '../../vocabulary/modes';
import { isId } from '../../vocabulary/ids';
import type { Document } from '../../kernel/ports/documents';
import { PORTS } from '../../kernel/ports/injection';
import type { ReadModels } from '../../kernel/ports/read-models';
import { WritePath } from '../../kernel/write-path';
import { walletsReadModel } from '../wallets/wallets.read-model';
import { routes, type RouteEntry, type RoutedWallet } from './routes.decider';
import { routesReadModel, type RouteDocument } from './routes.read-model';

type RouteTerms = Omit<RouteEntry, 'wallet'>;

/** Answers all routes of the merchant in this mode, newest first. */
export class SetRoutes extends Command<readonly Document<RouteDocument>[]> {
  constructor(
    readonly entries: readonly RouteTerms[],
    readonly context: MerchantContext,
  ) {
    super();
  }
}

@CommandHandler(SetRoutes)
export class SetRoutesHandler implements ICommandHandler<SetRoutes> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ entries, context }: SetRoutes): Promise<readonly Document<RouteDocument>[]> {
    const { merchantId, universe: mode } = context;
    const wallets = await this.wallets(mode, new Set(entries.map(({ walletId }) => walletId)));
    const withWallets = entries.map(entry => ({ ...entry, wallet: wallets.get(entry.walletId) ?? null }));
    const set = { type: 'set', merchantId, mode, entries: withWallets } as const;
    const { history } = await this.writePath.execute(routes, merchantId, set, context);
    return newestFirst(this.readModels.fold(routesReadModel, history));
  }

  private async wallets(mode: Mode, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, RoutedWallet | null>> {
    return new Map(await Promise.all([...ids].map(async id => [id, await this.wallet(mode, id)] as const)));
  }

  private async wallet(mode: Mode, walletId: string): Promise<RoutedWallet | null> {
    const wallet = isId('wal', walletId) ? await this.readModels.get(walletsReadModel, mode, walletId) : null;
    if (wallet?.body.mode !== mode) return null;
    const { merchant_id: merchantId, network_id: networkId, status } = wallet.body;
    return { merchantId, networkId, verified: status === 'verified' };
  }
}

function newestFirst(documents: readonly Document<RouteDocument>[]): readonly Document<RouteDocument>[] {
  const key = ({ id, body }: Document<RouteDocument>) => `${body.created} ${id}`;
  return [...documents].sort((a, b) => (key(a) < key(b) ? 1 : -1));
}
