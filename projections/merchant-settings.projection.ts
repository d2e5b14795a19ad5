import { streamId, type Projection } from '../src/kernel/projection';
import type { MerchantSettingsEvent } from '../src/modules/merchants/merchant-settings.events';
import {
  merchantSettingsReadModel,
  type MerchantSettingsDocument,
} from '../src/modules/merchants/merchant-settings.read-model';

export const merchantSettingsProjection: Projection<MerchantSettingsDocument, MerchantSettingsEvent> = {
  ...merchantSettingsReadModel,
  categories: ['merchant_settings'],
  mirrors: true,
  // A merchant has settings in each mode, and both streams have its id.
  key: event => `${event.metadata.mode}.${streamId(event)}`,
  on: {
    SettingsSet: (_, event): MerchantSettingsDocument => ({
      merchant_id: streamId(event),
      mode: event.metadata.mode,
      ...event.data,
    }),
  },
};
