import type { ActionName } from '../../../web/console/actions/action-places';
import type { Sent } from '../../modules/administration/admin-stage';
import * as h from '../../modules/payment-intents/histories';
import type { ActionObjects } from './action-objects';

/** An action is sent twice: by its pages first, and by its route then. */
export type Turn = 0 | 1;

type Way = {
  /** The type of the event that the action appends. */
  readonly event: string;
  /** Makes the object of the action, and answers the action on it as it is sent. */
  readonly sent: (objects: ActionObjects, turn: Turn) => Promise<Sent>;
  /** The clock of the object's merchant is read once the object is found, after the access documents. */
  readonly readsClock?: true;
};

const reason = 'As agreed.';
const note = 'As agreed.';
const on = async (object: Promise<string>, body: Sent['body']): Promise<Sent> => ({ id: await object, body });
const limit = { window_ms: 3_600_000, max_count: 100, max_amount_usd: '50000000' };
const entry = { network: 'base', list_source: 'ofac-sdn' };

/** Every action of administrators, with an object that it fits. */
const ACTIONS: Readonly<Record<ActionName, Way>> = {
  approveKybCase: { event: 'KybApproved', sent: ({ of }) => on(of.kybCase(), { note }) },
  rejectKybCase: { event: 'KybRejected', sent: ({ of }) => on(of.kybCase(), { note }) },
  placeHold: {
    event: 'HoldPlaced',
    sent: async ({ of }) => {
      const payment_intent = await of.payment(h.HISTORIES.confirming);
      return { id: null, body: { payment_intent, payer: h.PAYER, reason } };
    },
  },
  releaseHold: { event: 'HoldReleased', sent: async ({ of }) => ({ id: (await of.held()).hold, body: { reason } }) },
  rejectHold: { event: 'HoldRejected', sent: async ({ of }) => ({ id: (await of.held()).hold, body: { reason } }) },
  resolveReview: {
    event: 'ReviewResolved',
    sent: ({ of }) => on(of.payment(h.HISTORIES.underpaid), { resolution: 'rejected', note }),
  },
  resolveTransfer: {
    event: 'TransferSetAside',
    sent: objects => on(objects.transfer(), { outcome: 'returned', note }),
  },
  reopenTransfer: { event: 'TransferReopened', sent: objects => on(objects.setAsideTransfer(), { reason }) },
  resolveClaim: {
    event: 'NamingResolved',
    sent: (objects, turn) => {
      const attributed = { outcome: 'attributed', tx_hash: h.transfer('tr_1', '1').tx_hash };
      return on(objects.claim(), { ...(turn === 0 ? { outcome: 'refused' } : attributed), note });
    },
  },
  suspendMerchant: { event: 'MerchantDisabled', sent: objects => on(objects.merchant(), { reason }) },
  resumeMerchant: { event: 'MerchantEnabled', sent: objects => on(objects.suspendedMerchant(), { reason }) },
  closeMerchant: { event: 'MerchantClosed', sent: objects => on(objects.merchant(), { reason }) },
  setKillSwitch: {
    event: 'KillSwitchSet',
    sent: async objects => {
      const subject = await objects.merchant();
      return { id: null, body: { scope: 'merchant', subject, mode: 'live', reason } };
    },
  },
  liftKillSwitch: { event: 'KillSwitchLifted', sent: objects => on(objects.killSwitch(), { mode: 'live', reason }) },
  adjustFees: {
    event: 'FeeAdjusted',
    sent: async objects => {
      const merchant_id = await objects.merchant();
      return { id: null, body: { merchant_id, amount: '-120', currency: 'EUR', memo: 'Lost on chain.' } };
    },
  },
  invoiceFees: {
    event: 'FeeInvoiced',
    sent: async objects => {
      const { merchant: merchant_id } = await objects.owing();
      return { id: null, body: { merchant_id, currency: 'EUR' } };
    },
  },
  payFeeInvoice: {
    event: 'FeeInvoicePaid',
    sent: async objects => ({ id: (await objects.owing()).feeInvoice, body: { reference: 'Bank 17' } }),
  },
  closeCoverageHole: { event: 'CoverageHoleClosed', sent: objects => on(objects.coverageHole(), { reason }) },
  giveUpDeferredTransfer: {
    event: 'DeferredTransferGivenUp',
    sent: objects => on(objects.deferredTransfer(), { reason }),
  },
  replayParked: {
    event: 'ParkedMessagesReplayed',
    sent: (objects, turn) => on(objects.parked((['webhooks', 'audit'] as const)[turn]), { reason }),
  },
  inviteAdmin: {
    event: 'AdminInvited',
    sent: async objects => ({ id: null, body: { email: objects.address(), role: 'viewer' } }),
  },
  changeAdmin: { event: 'AdminRoleGiven', sent: objects => on(objects.admin(), { role: 'support', reason }) },
  setVelocityLimit: {
    event: 'VelocityLimitSet',
    sent: async (_, turn) => ({ id: null, body: { subject: 'payer_address', ...limit, max_count: 100 + turn } }),
  },
  liftVelocityLimit: {
    event: 'VelocityLimitLifted',
    sent: (objects, turn) => on(objects.velocityLimit((['merchant', 'wallet'] as const)[turn]), { reason }),
  },
  blockCountries: {
    event: 'CountriesBlocked',
    sent: async (_, turn) => ({ id: null, body: { blocked_countries: ['IR', 'KP'].slice(turn) } }),
  },
  setScreeningTimeout: {
    event: 'ScreeningTimeoutSet',
    sent: async (_, turn) => ({ id: null, body: { timeout_ms: 2_000 + turn } }),
  },
  addSanctionsEntry: {
    event: 'SanctionsEntryAdded',
    sent: async (_, turn) => ({
      id: null,
      body: { address: ([h.PAYER, h.SECOND_PAYER] as const)[turn], ...entry, reference: '12345' },
    }),
  },
  removeSanctionsEntry: {
    event: 'SanctionsEntryRemoved',
    sent: (objects, turn) => on(objects.sanctionsEntry(`0x${`${turn + 1}`.repeat(40)}`), { ...entry, reason }),
  },
  setMerchantLimits: {
    event: 'FeeRateSet',
    sent: objects => on(objects.merchant(), { payment_ceiling_usd: '200000', fee_bps: 40 }),
  },
  // A build reads on after its answer, so it comes last.
  rebuildReadModel: {
    event: 'ReadModelRebuilt',
    sent: async (_, turn) => ({ id: (['merchants', 'holds'] as const)[turn], body: { reason } }),
  },
};

const changes = (event: string, change: Sent['body']): readonly [ActionName, Way] => [
  'changeAdmin',
  { event, sent: objects => on(objects.admin(), { ...change, reason }) },
];

/** The other ways of an action that has several. */
const OTHER_WAYS: readonly (readonly [ActionName, Way])[] = [
  [
    'resolveTransfer',
    {
      event: 'TransferResolved',
      readsClock: true,
      sent: async objects => {
        const { transfer, payment: payment_intent } = await objects.transferOfPayment();
        return { id: transfer, body: { payment_intent, note } };
      },
    },
  ],
  changes('AdminDisabled', { status: 'disabled' }),
  changes('AuthenticatorReset', { authenticator: 'reset' }),
];

/** Every action of administrators in each of its ways, by the event that it appends. */
export const ACTION_WAYS: readonly (readonly [event: string, ActionName, Way])[] = [
  ...OTHER_WAYS,
  ...(Object.entries(ACTIONS) as (readonly [ActionName, Way])[]),
].map(([name, way]) => [way.event, name, way]);
