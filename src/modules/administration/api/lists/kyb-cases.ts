import {
  arrayOf,
  constant,
  id,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { KYB_DOCUMENT_KINDS } from '../../../kyb/kyb-case.events';
import { KYB_STATUSES, kybCasesReadModel, type KybCaseDocument } from '../../../kyb/kyb-cases.read-model';
import { adminList, byField, ofMerchant } from '../admin-list';

const COUNTRY = text('ISO 3166-1 alpha-2', 'GB');

const KYB_CASE = resource('kyb_case', 'The verification of a business', {
  id: id('kyb'),
  object: constant('kyb_case'),
  merchant_id: id('mch'),
  status: oneOfTexts(KYB_STATUSES, 'submitted: the case waits for a decision'),
  business: nullable(
    record({
      legal_name: text(),
      country: COUNTRY,
      registration_number: text(),
      address: text(),
      website: nullable(text()),
    }),
  ),
  owners: arrayOf(record({ name: text(), country: COUNTRY, share_bps: whole('Basis points of the business', 10_000) })),
  documents: arrayOf(
    record({
      id: id('kdoc'),
      kind: oneOfTexts(KYB_DOCUMENT_KINDS),
      name: text('Without a path', 'extract.pdf'),
      type: oneOfTexts(['application/pdf', 'image/png', 'image/jpeg']),
      size: whole('Bytes', 48_213),
      sha256: text('Of the content, as hex'),
    }),
  ),
  submitted_at: nullable(timestamp()),
  note: nullable(text('The note on the decision')),
  decided_at: nullable(timestamp()),
  created: timestamp(),
});

export const kybCases = adminList({
  path: 'kyb_cases',
  summary: 'List the verifications of businesses, the newest first',
  item: KYB_CASE,
  readModel: kybCasesReadModel,
  lies: 'above_modes',
  filters: {
    merchant: ofMerchant<KybCaseDocument>(),
    status: byField<KybCaseDocument>('status', { values: KYB_STATUSES }),
  },
  indexes: [
    { index: 'by_merchant', filters: ['merchant'] },
    { index: 'by_status', filters: ['status'] },
    { index: 'by_created', filters: [] },
  ],
  order: ['created', 'id'],
  notFound: 'kyb_case_not_found',
  present: ({ id: caseId, body }) => ({ ...body, id: caseId, object: 'kyb_case' as const }),
});
