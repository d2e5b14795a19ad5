import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import { isId } from '../../../kernel/ids';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { walletsReadModel, type WalletDocument } from '../wallets.read-model';

/** Throws Refusal wallet_not_found for a wallet that this merchant and mode do not have. */
export class GetWallet extends Query<Document<WalletDocument>> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
    readonly walletId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWallet)
export class GetWalletHandler implements IQueryHandler<GetWallet> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId, mode, walletId }: GetWallet): Promise<Document<WalletDocument>> {
    const wallet = isId('wal', walletId) ? await this.readModels.get(walletsReadModel, mode, walletId) : null;
    if (wallet?.body.merchant_id !== merchantId || wallet.body.mode !== mode) throw refuse('wallet_not_found');
    return wallet;
  }
}
