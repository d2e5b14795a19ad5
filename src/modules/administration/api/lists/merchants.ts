import {
  arrayOf,
  constant,
  digits,
  id,
  nullable,
  oneOfTexts,
  record,
  resource,
  text,
  timestamp,
  whole,
} from '../../../../platform/http/openapi-schema';
import { KILL_SWITCH_GROUNDS } from '../../../kill-switches/kill-switch.events';
import { killSwitchAsked } from '../../../kill-switches/kill-switches.read-model';
import { merchantsReadModel, type MerchantDocument } from '../../../merchants/merchants.read-model';
import { adminList, byField } from '../admin-list';
import { ALL_MODES } from '../find-payment';

const STATUSES = ['active', 'disabled', 'closed'] as const;

const MERCHANT = resource('merchant', 'An account, as administrators see it', {
  id: id('mch'),
  object: constant('merchant'),
  name: text(),
  email: text(),
  status: oneOfTexts(STATUSES),
  disabled_reason: nullable(text()),
  closed_reason: nullable(text()),
  payment_ceiling_usd: digits('The most that one payment may be worth, in dollar cents', '10000000'),
  fee_bps: whole('The fee in basis points of a payment', 50),
  stops: arrayOf(
    record({
      mode: oneOfTexts(ALL_MODES),
      ground: oneOfTexts(KILL_SWITCH_GROUNDS),
      reason: text(),
      set_at: timestamp(),
    }),
  ),
  pauses: arrayOf(record({ fee_invoice: id('finv'), pauses_at: timestamp() })),
  time_zone: text('', 'Europe/Berlin'),
  created: timestamp(),
});

export const merchants = adminList({
  path: 'merchants',
  summary: 'List the accounts, the newest first',
  item: MERCHANT,
  readModel: merchantsReadModel,
  lies: 'above_modes',
  filters: { status: byField<MerchantDocument>('status', { values: STATUSES }) },
  indexes: [
    { index: 'by_status', filters: ['status'] },
    { index: 'by_created', filters: [] },
  ],
  order: ['created', 'id'],
  notFound: 'merchant_not_found',
  present: async ({ id: merchantId, body }, { readModels }) => {
    const { readModel, universe, id: switchId } = killSwitchAsked('merchant', merchantId);
    const killSwitch = await readModels.get(readModel, universe, switchId);
    const { name, email, status, disabled_reason, closed_reason, fee_bps, pauses, time_zone, created } = body;
    return {
      ...{ id: merchantId, object: 'merchant' as const, name, email, status, disabled_reason, closed_reason },
      payment_ceiling_usd: body.payment_ceiling_usd_minor_units,
      ...{ fee_bps, stops: killSwitch?.body.stops ?? [], pauses, time_zone, created },
    };
  },
});
