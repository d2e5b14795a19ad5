import { DEFAULT_CEILING_USD_MINOR_UNITS } from '../src/vocabulary/payment-limits';
import { streamId, type Projection } from '../src/kernel/projection';
import { DEFAULT_FEE_BPS } from '../src/modules/fees/fee-schedule';
import { DEFAULT_SETTINGS } from '../src/modules/merchants/merchant-settings';
import type { MerchantEvent } from '../src/modules/merchants/merchant.events';
import { merchantsReadModel, type MerchantDocument } from '../src/modules/merchants/merchants.read-model';

export const merchantsProjection: Projection<MerchantDocument, MerchantEvent> = {
  ...merchantsReadModel,
  categories: ['merchant'],
  mirrors: true,
  key: streamId,
  on: {
    MerchantRegistered: (_, event): MerchantDocument => ({
      merchant_id: streamId(event),
      mode: event.metadata.mode,
      name: event.data.name,
      email: event.data.email,
      status: 'active',
      disabled_reason: null,
      closed_reason: null,
      payment_tolerance_bps: DEFAULT_SETTINGS.toleranceBps,
      enabled_tokens: DEFAULT_SETTINGS.enabledTokens,
      brand: DEFAULT_SETTINGS.brand,
      default_success_url: DEFAULT_SETTINGS.defaultSuccessUrl,
      api_version: DEFAULT_SETTINGS.apiVersion,
      checkout_restart: DEFAULT_SETTINGS.checkoutRestart,
      fee_bps: DEFAULT_FEE_BPS,
      payment_ceiling_usd_minor_units: DEFAULT_CEILING_USD_MINOR_UNITS.toString(),
      pauses: [],
      invoice_prefix: DEFAULT_SETTINGS.invoicePrefix,
      reminders: DEFAULT_SETTINGS.reminders,
      time_zone: DEFAULT_SETTINGS.timeZone,
      created: event.metadata.occurred_at,
    }),
    PaymentToleranceSet: (doc, { data }) => doc && { ...doc, payment_tolerance_bps: data.payment_tolerance_bps },
    EnabledTokensSet: (doc, { data }) => doc && { ...doc, enabled_tokens: data.enabled_tokens },
    BrandSet: (doc, { data }) => doc && { ...doc, brand: data },
    DefaultSuccessUrlSet: (doc, { data }) => doc && { ...doc, default_success_url: data.default_success_url },
    ApiVersionPinned: (doc, { data }) => doc && { ...doc, api_version: data.api_version },
    MerchantDisabled: (doc, { data }) => doc && { ...doc, status: 'disabled', disabled_reason: data.reason },
    MerchantEnabled: doc => doc && { ...doc, status: 'active', disabled_reason: null },
    MerchantClosed: (doc, { data }) => doc && { ...doc, status: 'closed', closed_reason: data.reason },
    FeeRateSet: (doc, { data }) => doc && { ...doc, fee_bps: data.fee_bps },
    PaymentCeilingSet: (doc, { data }) => doc && { ...doc, ...data },
    PauseScheduled: (doc, { data }) => doc && { ...doc, pauses: [...doc.pauses, data] },
    PauseWithdrawn: (doc, { data }) =>
      doc && { ...doc, pauses: doc.pauses.filter(({ fee_invoice }) => fee_invoice !== data.fee_invoice) },
    // The document follows the stream's revision, by which readers know that it is the newest.
    OwnerReleased: doc => doc,
  },
};
