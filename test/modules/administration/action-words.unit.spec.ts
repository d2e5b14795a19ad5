import { ADMIN_ACTIONS } from '../../../src/modules/administration/api/admin-actions';
import type { ActionMeans, AdminAction } from '../../../src/modules/administration/api/admin-action';
import { approvalText } from '../../../src/modules/administration/api/administration';
import { isFourEyes } from '../../../src/vocabulary/admin-roles';
import type { JsonObject } from '../../../src/vocabulary/json';
import { DEFERRED_TRANSFER, COVERAGE_HOLE } from '../../fixtures/events/newest-coverage';

type ActionName = keyof typeof ADMIN_ACTIONS;
type Sent = { readonly id?: string; readonly body: JsonObject; readonly status?: string };

const idOf = (prefix: string): string => `${prefix}_${'1'.repeat(26)}`;
const MERCHANT = idOf('mch');
const PAYMENT = idOf('pi');
const PAYER = '0x8ba1f109551bd432803012645ac136ddd64dba72';
const reason = { reason: 'A complaint.' };
const note = { note: 'As in the register.' };

const ledger = (status: string) => ({
  ...{ transfers: { tr_1: { from: PAYER, final: true } }, screened: {}, review: 'pending' },
  hold: status === 'open' ? { status, payer: PAYER } : null,
});

/** The documents that the actions look at; `status` is the one that the action fits. */
const documents = (status: string): Readonly<Record<string, JsonObject>> => ({
  merchants: { name: 'Corner Shop', status, payment_ceiling_usd_minor_units: '1000000', fee_bps: 50 },
  payment_intents: {
    ...{ merchant_id: MERCHANT, mode: 'live', amount_minor_units: '2500', currency: 'EUR', status: 'underpaid' },
    ...{ hold: null, review: null, transfers: [] },
    state: { status: 'underpaid', quote: {}, ledger: ledger(status) },
  },
  holds: { payer: PAYER, status: 'open' },
  kyb_cases: { merchant_id: MERCHANT, status: 'submitted', business: { legal_name: 'Corner Shop Ltd', country: 'FR' } },
  namings: {
    ...{ mode: 'live', reference: '204815162342', payment_intent: PAYMENT, status: 'in_review', merchant_id: MERCHANT },
  },
  unmatched_transfers: {
    ...{ value_base_units: '5000000', token_id: 'usdc-base', address: PAYER, created: '2026-11-01T12:00:00.000Z' },
    ...{ mode: 'live', open: true, status: 'unmatched', payment_intent: null, set_aside: null, reason: 'no_match' },
  },
  fee_invoices: {
    ...{ merchant_id: MERCHANT, number: 'FEE-1', amount_minor_units: '120', currency: 'EUR' },
    ...{ status: 'open', reference: null },
  },
  coverage_holes: { ...COVERAGE_HOLE[0].data, status: 'open' },
  deferred_transfers: { ...DEFERRED_TRANSFER[0].data, status: 'open' },
  admins: { email: 'ada@example.com', name: 'Ada', role: 'viewer', status, totp_enrolled_at: null },
});

function readsOf(status = 'active'): ActionMeans {
  const found = (name: string, id: string) => {
    const body = documents(status)[name];
    return Promise.resolve(body === undefined ? null : { id, version: 1, body });
  };
  const readModels = {
    stored: (model: { readonly name: string }, _: readonly string[], id: string) => found(model.name, id),
    freshen: (_: object, __: string, document: object) => Promise.resolve(document),
    list: async (model: { readonly name: string }) => [await found(model.name, PAYMENT)],
  };
  return { readModels, clock: { merchantNow: () => Promise.resolve(0) } } as unknown as ActionMeans;
}

const merchant = { id: MERCHANT, body: reason };
const stop = { scope: 'network', subject: 'tron', mode: 'live', ...reason };
const entry = { network: 'base', list_source: 'ofac-sdn' };

const SENT: Readonly<Record<ActionName, Sent>> = {
  approveKybCase: { id: idOf('kyb'), body: note },
  rejectKybCase: { id: idOf('kyb'), body: note },
  placeHold: { body: { payment_intent: PAYMENT, payer: PAYER, ...reason } },
  releaseHold: { id: idOf('hold'), body: reason, status: 'open' },
  rejectHold: { id: idOf('hold'), body: reason, status: 'open' },
  resolveReview: { id: PAYMENT, body: { resolution: 'rejected', ...note } },
  resolveTransfer: { id: idOf('tr'), body: { outcome: 'returned', ...note } },
  reopenTransfer: { id: idOf('tr'), body: reason },
  resolveClaim: { id: idOf('tc'), body: { outcome: 'refused', ...note } },
  suspendMerchant: merchant,
  resumeMerchant: { ...merchant, status: 'disabled' },
  closeMerchant: merchant,
  setKillSwitch: { body: stop },
  liftKillSwitch: { id: 'network:tron', body: { mode: 'live', ...reason } },
  adjustFees: { body: { merchant_id: MERCHANT, amount: '-120', currency: 'EUR', memo: 'Lost on chain.' } },
  invoiceFees: { body: { merchant_id: MERCHANT, currency: 'EUR' } },
  payFeeInvoice: { id: idOf('finv'), body: { reference: 'Bank 17' } },
  closeCoverageHole: { id: 'live.coverage_hole-bnb:56:7:0x07', body: reason },
  giveUpDeferredTransfer: { id: 'live.deferred_transfer-bnb:0xaa:0:0x07', body: reason },
  replayParked: { id: 'webhooks', body: reason },
  rebuildReadModel: { id: 'merchants', body: reason },
  inviteAdmin: { body: { email: 'ben@example.com', role: 'finance' } },
  changeAdmin: { id: idOf('adm'), body: { authenticator: 'reset', ...reason } },
  setVelocityLimit: { body: { subject: 'merchant', window_ms: 3_600_000, max_count: 10, max_amount_usd: '50000' } },
  liftVelocityLimit: { id: 'merchant', body: reason },
  blockCountries: { body: { blocked_countries: ['KP'] } },
  setScreeningTimeout: { body: { timeout_ms: 4_000 } },
  addSanctionsEntry: { body: { address: PAYER, reference: '17', ...entry } },
  removeSanctionsEntry: { id: PAYER.slice(2), body: { ...entry, ...reason } },
  setMerchantLimits: { id: MERCHANT, body: { payment_ceiling_usd: '2000000', fee_bps: 25 } },
};

const rows = Object.entries(ADMIN_ACTIONS) as readonly (readonly [ActionName, AdminAction])[];
const SENTENCES = /^[A-Z][^\n]*\.$/;
const BROKEN = /undefined|null|NaN|\[object/;

it.each(rows)(
  '%s says what it does, to whom, who has to approve, and what nobody can take back',
  async (name, action) => {
    const { id = null, body, status } = SENT[name];
    const { does, to, cannotUndo, difference } = await action.plan(readsOf(status), id, body).preview();
    for (const words of [does, to, cannotUndo, approvalText(action.permission)]) {
      expect(words).toMatch(SENTENCES);
      expect(words).not.toMatch(BROKEN);
    }
    expect(new Set([does, to, cannotUndo]).size).toBe(3);
    if (isFourEyes(action.permission)) expect(difference).not.toEqual([]);
  },
);
