import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { TokenId } from '../../src/kernel/tokens';
import { DEFAULT_ENABLED_TOKENS, DEFAULT_TOLERANCE_BPS } from '../../src/modules/merchants/merchant.decider';
import type { MerchantEvent } from '../../src/modules/merchants/merchant.events';

export type MerchantDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'disabled';
  readonly disabled_reason: string | null;
  readonly payment_tolerance_bps: number;
  readonly enabled_tokens: readonly TokenId[];
  readonly created: string;
};

type Doc = MerchantDocument;
type On<T extends MerchantEvent['type']> = RecordedEvent<Extract<MerchantEvent, { readonly type: T }>>;

function change<T extends MerchantEvent['type']>(handler: (event: On<T>) => Partial<Doc>) {
  return (doc: Doc | null, event: On<T>): Doc | null => doc && { ...doc, ...handler(event) };
}

export const merchantsProjection: Projection<MerchantDocument> = {
  name: 'merchants',
  version: 1,
  mirrors: 'merchant',
  key: streamId,
  indexes: { by_created: ['created', 'id'], by_status: ['status', 'created', 'id'] },
  on: {
    MerchantRegistered: (_: Doc | null, event: On<'MerchantRegistered'>): Doc => ({
      merchant_id: streamId(event),
      mode: event.metadata.mode,
      name: event.data.name,
      email: event.data.email,
      status: 'active',
      disabled_reason: null,
      payment_tolerance_bps: DEFAULT_TOLERANCE_BPS,
      enabled_tokens: DEFAULT_ENABLED_TOKENS,
      created: event.metadata.occurred_at,
    }),
    PaymentToleranceSet: change<'PaymentToleranceSet'>(({ data }) => ({
      payment_tolerance_bps: data.payment_tolerance_bps,
    })),
    EnabledTokensSet: change<'EnabledTokensSet'>(({ data }) => ({ enabled_tokens: data.enabled_tokens })),
    MerchantDisabled: change<'MerchantDisabled'>(({ data }) => ({
      status: 'disabled',
      disabled_reason: data.reason,
    })),
    MerchantEnabled: change<'MerchantEnabled'>(() => ({ status: 'active', disabled_reason: null })),
  },
};
