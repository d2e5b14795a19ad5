import type {
  DetectedTransfer,
  PaymentIntentEvent,
  Quote,
  Remainder,
} from '../../../src/modules/payment-intents/payment-intent.events';
import type { Status, Trigger } from '../../../src/modules/payment-intents/payment-intent.transitions';
import type {
  PaymentIntentCommand,
  ReservedRemainder,
} from '../../../src/modules/payment-intents/payment-intent.commands';
import { termsOf } from '../../support/payment-terms';

export const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
export const SECOND_PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
export const BLOCK_HASH = `0x${'cd'.repeat(32)}`;
export const EXPIRES_AT = '2026-11-01T12:15:00.000Z';
export const AFTER_EXPIRY = Date.parse(EXPIRES_AT) + 1;

export const terms = termsOf({ metadata: { order: '42' } });

export const quote: Quote = {
  token_id: 'usdc-base',
  network_id: 'base',
  wallet_id: 'wal_00000000000000000000000000',
  address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  price_base_units: '27000000',
  due_base_units: '27000120',
  slot: '2700012',
  rate: '1.08',
  observations: [],
  quoted_at: '2026-11-01T12:00:00.000Z',
  quote_expires_at: EXPIRES_AT,
  reserved_until: '2026-11-02T12:15:00.000Z',
  tolerance_bps: 0,
  required_confirmations: 12,
  finality_tier: 'standard',
  dedicated: false,
};

export function transfer(id: string, valueBaseUnits: string, from = PAYER): DetectedTransfer {
  return {
    attribution: valueBaseUnits === quote.due_base_units ? 'exact' : 'claimed',
    transfer_id: id,
    tx_hash: `0x${'ab'.repeat(32)}`,
    ordinal: 0,
    from,
    value_base_units: valueBaseUnits,
    block_number: 100,
    block_hash: BLOCK_HASH,
    block_time: '2026-11-01T12:05:00.000Z',
  };
}

/** A transfer whose claim was committed where the histories have it. */
export const committed = (transferId: string, sighting: number) => ({ transferId, sighting, blockHash: BLOCK_HASH });

export const created: PaymentIntentEvent = { type: 'PaymentIntentCreated', data: terms };
export const selected: PaymentIntentEvent = { type: 'MethodSelected', data: quote };
export const detected = (id: string, value: string, from?: string): PaymentIntentEvent => ({
  type: 'TransferDetected',
  data: transfer(id, value, from),
});
export const inferred = (id: string, value: string, from?: string): PaymentIntentEvent => ({
  type: 'TransferDetected',
  data: { ...transfer(id, value, from), attribution: 'inferred' },
});
export const confirmation: PaymentIntentEvent = {
  type: 'ConfirmationSeen',
  data: { transfer_id: 'tr_1', head_number: 101 },
};
export const depth = (id: string): PaymentIntentEvent => ({
  type: 'DepthReached',
  data: { transfer_id: id, block_hash: BLOCK_HASH, head_number: 112 },
});
export const screened = (payer: string, verdict: 'clear' | 'high_risk'): PaymentIntentEvent => ({
  type: 'PayerScreened',
  data: { payer, verdict, source: 'local_list', reference: null },
});
export const held: PaymentIntentEvent = {
  type: 'HoldPlaced',
  data: { payer: PAYER, source: 'administrator', reason: 'listed' },
};
export const dropped = (id: string): PaymentIntentEvent => ({
  type: 'TransferDropped',
  data: { transfer_id: id, reason: 'reorged_out' },
});
export const released: PaymentIntentEvent = {
  type: 'HoldReleased',
  data: { reason: 'a namesake', proposed_by: 'adm_1', approved_by: 'adm_2' },
};

export const rejected: PaymentIntentEvent = {
  type: 'HoldRejected',
  data: { reason: 'a match', proposed_by: 'adm_1', approved_by: 'adm_2' },
};

/** The merchant has sent the money back. */
export const reviewRejected: PaymentIntentEvent = {
  type: 'ReviewResolved',
  data: { resolution: 'rejected', note: 'sent back' },
};

/** Received as settled: 10 of 27.00012 USDC. */
const shortAmounts = { received_base_units: '10000000', received_minor_units: '925' };
export const remainder = { due_base_units: '17000130', slot: '1700013', reserved_until: '2026-11-02T12:05:00.000Z' };
const exactAmounts = { received_base_units: '27000120', received_minor_units: '2500' };

/** The reservation for the remainder after so much had come. */
export const remainderAt = (receivedBaseUnits: bigint): ReservedRemainder & { readonly remainder: Remainder } => {
  const slot = (BigInt(quote.due_base_units) - receivedBaseUnits) / 10n + 1n;
  const asked = { due_base_units: (slot * 10n).toString(), slot: slot.toString() };
  return { receivedBaseUnits, remainder: { ...remainder, ...asked } };
};

function toConfirming(value: string): PaymentIntentEvent[] {
  return [created, selected, detected('tr_1', value), confirmation];
}

function settledTo(value: string): PaymentIntentEvent[] {
  return [...toConfirming(value), screened(PAYER, 'clear'), depth('tr_1')];
}

const underpaid: readonly PaymentIntentEvent[] = [
  ...settledTo('10000000'),
  { type: 'PaymentUnderpaid', data: { ...shortAmounts, remainder } },
];

/** A history that ends in each status. */
export const HISTORIES: Record<Status | 'none', readonly PaymentIntentEvent[]> = {
  none: [],
  created: [created],
  awaiting_payment: [created, selected],
  detected: [created, selected, detected('tr_1', '27000120')],
  confirming: toConfirming('27000120'),
  // Accepted while more was on its way.
  confirmed: [
    ...underpaid,
    detected('tr_2', '1', SECOND_PAYER),
    { type: 'PaymentAccepted', data: { note: null } },
    { type: 'PaymentConfirmed', data: { ...shortAmounts, surplus_base_units: null } },
  ],
  underpaid,
  overpaid: [
    ...settledTo('30000000'),
    {
      type: 'PaymentOverpaid',
      data: { received_base_units: '30000000', received_minor_units: '2777', surplus_base_units: '2999880' },
    },
  ],
  expired: [created, selected, { type: 'QuoteExpired', data: { quote_expires_at: EXPIRES_AT } }],
  paid_late: [
    created,
    selected,
    { type: 'QuoteExpired', data: { quote_expires_at: EXPIRES_AT } },
    detected('tr_1', '27000120'),
    detected('tr_2', '1', SECOND_PAYER),
    screened(PAYER, 'clear'),
    { type: 'PaidLate', data: { ...exactAmounts, transfer_id: 'tr_1' } },
  ],
  canceled: [created, selected, { type: 'PaymentCanceled', data: {} }],
  failed: [
    created,
    selected,
    detected('tr_1', '27000120'),
    detected('tr_2', '1', SECOND_PAYER),
    confirmation,
    screened(PAYER, 'high_risk'),
    held,
    rejected,
  ],
};

type Scenario = {
  readonly command: PaymentIntentCommand;
  /** The events that must have happened, after the status was reached, for the edge to be taken. */
  readonly before?: Partial<Record<Status, readonly PaymentIntentEvent[]>>;
};

const second = (value: string): PaymentIntentEvent[] => [
  detected('tr_2', value, SECOND_PAYER),
  screened(SECOND_PAYER, 'clear'),
];
const highRisk = (status: Status): readonly PaymentIntentEvent[] =>
  status === 'confirming'
    ? [screened(PAYER, 'high_risk')]
    : [detected('tr_9', '1', SECOND_PAYER), screened(SECOND_PAYER, 'high_risk')];
const heldIn: Scenario['before'] = {
  confirming: [...highRisk('confirming'), held],
  underpaid: [held],
  paid_late: [held],
};

/** As many transfers as a payment takes. */
const crowd = Array.from({ length: 100 }, (_, index) => detected(`tr_crowd_${index}`, '1'));

/** The command that pulls each trigger. */
export const SCENARIOS: Record<Trigger, Scenario> = {
  create: { command: { type: 'create', terms } },
  select_method: { command: { type: 'select_method', quote } },
  cancel: { command: { type: 'cancel' } },
  expire: { command: { type: 'expire' } },
  see_transfer: { command: { type: 'see_transfer', transfer: transfer('tr_7', '5') } },
  turn_away: {
    command: { type: 'see_transfer', transfer: transfer('tr_7', '5') },
    before: { detected: crowd, confirming: crowd, underpaid: crowd, expired: crowd },
  },
  drop_transfer: {
    command: { type: 'drop_transfer', transferId: 'tr_2', blockHash: BLOCK_HASH, reason: 'reorged_out' },
    before: {
      detected: [detected('tr_2', '1', SECOND_PAYER)],
      confirming: second('1'),
      underpaid: second('1'),
      expired: second('1'),
    },
  },
  lose_last_transfer: {
    command: { type: 'drop_transfer', transferId: 'tr_1', blockHash: BLOCK_HASH, reason: 'reorged_out' },
  },
  see_confirmation: { command: { type: 'see_confirmation', transferId: 'tr_1', headNumber: 101 } },
  screen_payer: {
    command: { type: 'screen_payer', payer: SECOND_PAYER, verdict: 'clear', source: 'local_list', reference: null },
  },
  reach_depth: {
    command: { type: 'reach_depth', transferId: 'tr_1', blockHash: BLOCK_HASH, sighting: 1, headNumber: 112 },
  },
  settle_exact: {
    command: { type: 'settle', reserved: null },
    before: { confirming: [screened(PAYER, 'clear'), depth('tr_1')] },
  },
  settle_short: {
    command: { type: 'settle', reserved: remainderAt(10_000_000n) },
    before: {
      confirming: [dropped('tr_1'), ...second('10000000'), depth('tr_2')],
    },
  },
  settle_inferred: {
    command: { type: 'settle', reserved: null },
    before: {
      confirming: [
        dropped('tr_1'),
        inferred('tr_2', '27000120', SECOND_PAYER),
        screened(SECOND_PAYER, 'clear'),
        depth('tr_2'),
      ],
    },
  },
  settle_over: {
    command: { type: 'settle', reserved: null },
    before: { confirming: [screened(PAYER, 'clear'), depth('tr_1'), ...second('10000000'), depth('tr_2')] },
  },
  credit_part: {
    command: { type: 'credit_remainder', ...committed('tr_2', 2), reserved: remainderAt(20_000_000n) },
    before: { underpaid: second('10000000') },
  },
  credit_whole: {
    command: { type: 'credit_remainder', ...committed('tr_2', 2), reserved: null },
    before: { underpaid: second('17000120') },
  },
  ask_remainder: {
    command: { type: 'ask_remainder', reserved: remainderAt(0n) },
    before: { underpaid: [dropped('tr_1')] },
  },
  credit_late: {
    command: { type: 'credit_late', ...committed('tr_2', 2) },
    before: { expired: [detected('tr_1', '1'), ...second('27000120')] },
  },
  place_hold: {
    command: { type: 'place_hold', payer: PAYER, source: 'administrator', reason: 'listed' },
    before: {
      confirming: [screened(PAYER, 'high_risk')],
      underpaid: [screened(PAYER, 'high_risk')],
      paid_late: [screened(PAYER, 'high_risk')],
    },
  },
  release_hold: {
    command: { type: 'release_hold', reason: 'a namesake', proposedBy: 'x', approvedBy: 'y' },
    before: heldIn,
  },
  reject_hold: {
    command: { type: 'reject_hold', reason: 'a match', proposedBy: 'y', approvedBy: 'x' },
    before: heldIn,
  },
  move_transfer: {
    command: {
      type: 'move_transfer',
      transferId: 'tr_1',
      block: { block_number: 101, block_hash: `0x${'ef'.repeat(32)}`, block_time: '2026-11-01T12:05:03.000Z' },
    },
  },
  accept: { command: { type: 'accept', note: null, standing: ['tr_1'] } },
  resolve_accepted: {
    command: { type: 'resolve', resolution: 'accepted', note: 'good customer', standing: ['tr_1'] },
  },
  resolve_rejected: {
    command: { type: 'resolve', resolution: 'rejected', note: 'sent back', standing: [] },
    before: {
      underpaid: [
        inferred('tr_2', '10000000', SECOND_PAYER),
        {
          type: 'RemainderCredited',
          data: { transfer_id: 'tr_2', received_base_units: '20000000', received_minor_units: '1851' },
        },
      ],
      paid_late: [dropped('tr_2')],
    },
  },
  lose_settled_transfer: { command: { type: 'lose_settled_transfer', transferId: 'tr_1', blockHash: BLOCK_HASH } },
};
