import type { CommandContext } from '../src/kernel/command-context';
import type { ActorRole } from '../src/kernel/event';
import { commandId, uuidV5 } from '../src/vocabulary/ids';
import type { PaymentIntentCommand } from '../src/modules/payment-intents/payment-intent.commands';
import { TRANSITIONS } from '../src/modules/payment-intents/payment-intent.transitions';
import type { DetectedTransfer } from '../src/modules/payment-intents/payment-intent.events';

const KEY = new Uint8Array(32);
const MERCHANT = 'mch_00000000000000000000000000';
const REQUEST = 'req_00000000000000000000000000';
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const BLOCK_HASH = `0x${'cd'.repeat(32)}`;
const FIRST_PART = '10000000';
const REMAINDER = { due_base_units: '17000130', slot: '1700013', reserved_until: '2026-11-02T12:05:00.000Z' };

export type Step = { readonly role: ActorRole; readonly command: PaymentIntentCommand };

export const CREATE: Step = {
  role: 'api',
  command: {
    type: 'create',
    terms: {
      amount_minor_units: '2500',
      currency: 'EUR',
      currency_decimals: 2,
      metadata: { order: '42' },
      description: null,
      success_url: null,
      restarted_from: null,
      payment_link: null,
      invoice: null,
    },
  },
};

/** Nine commands, ten events: a payment that comes in two parts. */
export const LIFE: readonly Step[] = [
  CREATE,
  {
    role: 'api',
    command: {
      type: 'select_method',
      quote: {
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
        quote_expires_at: '2026-11-01T12:15:00.000Z',
        reserved_until: '2026-11-02T12:15:00.000Z',
        tolerance_bps: 0,
        required_confirmations: 12,
        finality_tier: 'standard',
        dedicated: false,
      },
    },
  },
  { role: 'watcher', command: { type: 'see_transfer', transfer: transfer('tr_1', FIRST_PART) } },
  { role: 'watcher', command: { type: 'see_confirmation', transferId: 'tr_1', headNumber: 101 } },
  {
    role: 'watcher',
    command: { type: 'screen_payer', payer: PAYER, verdict: 'clear', source: 'local_list', reference: null },
  },
  {
    role: 'watcher',
    command: { type: 'reach_depth', transferId: 'tr_1', sighting: 1, blockHash: BLOCK_HASH, headNumber: 112 },
  },
  {
    role: 'watcher',
    command: { type: 'settle', reserved: { receivedBaseUnits: BigInt(FIRST_PART), remainder: REMAINDER } },
  },
  { role: 'matcher', command: { type: 'see_transfer', transfer: transfer('tr_2', REMAINDER.due_base_units) } },
  {
    role: 'matcher',
    command: { type: 'credit_remainder', transferId: 'tr_2', sighting: 2, blockHash: BLOCK_HASH, reserved: null },
  },
];

/** Every type of event that a payment can record. */
export const EVENT_TYPES: readonly string[] = [
  ...new Set(Object.values(TRANSITIONS).flatMap(row => Object.values(row).flatMap(({ events }) => events))),
];

function transfer(id: string, valueBaseUnits: string): DetectedTransfer {
  return {
    attribution: 'exact',
    transfer_id: id,
    tx_hash: `0x${'ab'.repeat(32)}`,
    ordinal: 0,
    from: PAYER,
    value_base_units: valueBaseUnits,
    block_number: 100,
    block_hash: BLOCK_HASH,
    block_time: '2026-11-01T12:05:00.000Z',
  };
}

let commands = 0;

/** The context of a command that nobody has sent before. */
export function contextOf({ role }: Step): CommandContext {
  const now = Date.now();
  return {
    commandId: uuidV5(`bench ${process.pid} ${now} ${commands++}`),
    actor: { role, type: 'api_key', id: 'key_00000000000000000000000000' },
    universe: 'test',
    merchantId: MERCHANT,
    startedAt: now,
    now,
    requestId: REQUEST,
    correlationId: REQUEST,
    causationId: null,
    ip: '127.0.0.1',
    isFirstTry: true,
  };
}

/** The id of a payment that nobody has made before. */
export function newPaymentId(): string {
  return commandId('pi', Date.now(), KEY, uuidV5(`payment ${process.pid} ${Date.now()} ${commands++}`));
}
