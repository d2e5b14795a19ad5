import type { ApiVersion } from '../../vocabulary/api-versions';
import type { ReadModel } from '../../kernel/ports/read-models';
import type { TokenId } from '../../vocabulary/tokens';
import type { Brand } from './merchant.events';

export type MerchantDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'disabled';
  readonly disabled_reason: string | null;
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly TokenId[];
  readonly brand: Brand;
  readonly default_success_url: string | null;
  readonly api_version: ApiVersion;
  readonly created: string;
};

export const merchantsReadModel: ReadModel<MerchantDocument> = {
  name: 'merchants',
  version: 2,
  indexes: { by_created: ['created', 'id'], by_status: ['status', 'created', 'id'] },
};
