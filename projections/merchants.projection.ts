import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import { DEFAULT_SETTINGS } from '../src/modules/merchants/merchant-settings';
import type { MerchantEvent } from '../src/modules/merchants/merchant.events';
import { merchantsReadModel, type MerchantDocument } from '../src/modules/merchants/merchants.read-model';

type Doc = MerchantDocument;

type On<T extends MerchantEvent['type']> = RecordedEvent<Extract<MerchantEvent, { readonly type: T }>>;

function change<T extends MerchantEvent['type']>(handler: (event: On<T>) => Partial<Doc>) {
  return (doc: Doc | null, event: On<T>): Doc | null => doc && { ...doc, ...handler(event) };
}

export const merchantsProjection: Projection<MerchantDocument> = {
  ...merchantsReadModel,
  categories: ['merchant'],
  mirrors: true,
  key: streamId,
  on: {
    MerchantRegistered: (_: Doc | null, event: On<'MerchantRegistered'>): Doc => ({
      merchant_id: streamId(event),
      mode: event.metadata.mode,
      name: event.data.name,
      email: event.data.email,
      status: 'active',
      disabled_reason: null,
      payment_tolerance_bps: DEFAULT_SETTINGS.toleranceBps,
      enabled_tokens: DEFAULT_SETTINGS.enabledTokens,
      brand: DEFAULT_SETTINGS.brand,
      default_success_url: DEFAULT_SETTINGS.defaultSuccessUrl,
      api_version: DEFAULT_SETTINGS.apiVersion,
      created: event.metadata.occurred_at,
    }),
    PaymentToleranceSet: change<'PaymentToleranceSet'>(({ data }) => ({
      payment_tolerance_bps: data.payment_tolerance_bps,
    })),
    EnabledTokensSet: change<'EnabledTokensSet'>(({ data }) => ({ enabled_tokens: data.enabled_tokens })),
    BrandSet: change<'BrandSet'>(({ data }) => ({ brand: data })),
    DefaultSuccessUrlSet: change<'DefaultSuccessUrlSet'>(({ data }) => ({
      default_success_url: data.default_success_url,
    })),
    ApiVersionPinned: change<'ApiVersionPinned'>(({ data }) => ({ api_version: data.api_version })),
    MerchantDisabled: change<'MerchantDisabled'>(({ data }) => ({
      status: 'disabled',
      disabled_reason: data.reason,
    })),
    MerchantEnabled: change<'MerchantEnabled'>(() => ({ status: 'active', disabled_reason: null })),
  },
};
