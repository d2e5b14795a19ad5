import {
  constant,
  id,
  MODE,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { NAMING_KINDS, NAMING_STATUSES } from '../../../payment-intents/queries/payment-intent.answer';
import { reviewReasonInWords } from '../../../transfers/api/evidence-words';
import { namingsReadModel, type NamingDocument } from '../../../transfers/namings.read-model';
import { adminList, byField, ofMerchant, ofMode } from '../admin-list';

const FILED_CLAIM = resource(
  'filed_claim',
  'A transaction that somebody named for a payment, and that people look into',
  {
    id: id('tc'),
    object: constant('filed_claim'),
    mode: MODE,
    merchant_id: nullable(id('mch')),
    payment_intent: id('pi'),
    kind: oneOfTexts(NAMING_KINDS, 'exchange_transfer: the reference is the own number of an exchange'),
    reference: text("The hash, or an exchange's own number"),
    log_index: nullable(whole('Which transfer of the transaction; null where none was named', 0)),
    status: oneOfTexts(NAMING_STATUSES),
    reason: nullable(text('Why people decide, in plain words')),
    transfer: nullable(id('tr')),
    created: timestamp(),
  },
);

export const claims = adminList({
  path: 'claims',
  summary: 'List the transactions that were named for payments, the newest first; those in review by default',
  item: FILED_CLAIM,
  readModel: namingsReadModel,
  lies: 'in_modes',
  filters: {
    merchant: ofMerchant<NamingDocument>(),
    mode: ofMode<NamingDocument>(),
    status: byField<NamingDocument>('status', { values: NAMING_STATUSES, fallback: 'in_review' }),
  },
  indexes: [{ index: 'by_filing', filters: ['status'] }],
  order: ['filed_at', 'id'],
  notFound: 'resource_missing',
  present: ({ id: namingId, body }) => ({
    ...{ id: namingId, object: 'filed_claim' as const, mode: body.mode, merchant_id: body.merchant_id },
    ...{ payment_intent: body.payment_intent, kind: body.kind, reference: body.reference, log_index: body.log_index },
    ...{ status: body.status, reason: body.reason && reviewReasonInWords(body.reason), transfer: body.transfer_id },
    created: body.filed_at,
  }),
});
