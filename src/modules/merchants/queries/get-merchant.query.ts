import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { refuse } from '../../../kernel/errors';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { merchantsReadModel, type MerchantDocument } from '../merchants.read-model';

/** Throws Refusal merchant_not_found. */
export class GetMerchant extends Query<MerchantDocument> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(GetMerchant)
export class GetMerchantHandler implements IQueryHandler<GetMerchant> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId }: GetMerchant): Promise<MerchantDocument> {
    const merchant = await this.readModels.get(merchantsReadModel, 'platform', merchantId);
    if (!merchant) throw refuse('merchant_not_found');
    return merchant.body;
  }
}
