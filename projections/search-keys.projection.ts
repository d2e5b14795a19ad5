import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { PaymentIntentEvent } from '../src/modules/payment-intents/payment-intent.events';
import {
  hashKey,
  metadataKeys,
  payerKey,
  searchKeysReadModel,
  type SearchKeyDocument,
} from '../src/modules/payment-intents/search-keys.read-model';

type Doc = SearchKeyDocument;
type Searched = Extract<PaymentIntentEvent, { readonly type: 'PaymentIntentCreated' | 'TransferDetected' }>;

const SEPARATOR = ':';

function keysOf({ type, data }: Searched): readonly string[] {
  return type === 'PaymentIntentCreated' ? metadataKeys(data.metadata) : [hashKey(data.tx_hash), payerKey(data.from)];
}

function found(event: RecordedEvent, id: string): Doc {
  return {
    merchant_id: event.metadata.merchant_id ?? '',
    mode: event.metadata.mode,
    search_key: id.slice(id.indexOf(SEPARATOR) + 1),
    payment_intent: streamId(event),
  };
}

/** A payment stays under the hash of a transfer that it has lost: people search for that hash all the same. */
export const searchKeysProjection: Projection<SearchKeyDocument, PaymentIntentEvent> = {
  ...searchKeysReadModel,
  categories: ['payment_intent'],
  mirrors: false,
  key: event =>
    event.type === 'PaymentIntentCreated' || event.type === 'TransferDetected'
      ? keysOf(event).map(key => [streamId(event), key].join(SEPARATOR))
      : null,
  on: {
    PaymentIntentCreated: (doc, event, id) => doc ?? found(event, id),
    TransferDetected: (doc, event, id) => doc ?? found(event, id),
  },
};
