import { NETWORK_IDS } from '../../../kernel/tokens';
import type { OperationTable } from '../../../platform/http/openapi-operation';
import {
  constant,
  decimal,
  id,
  nullable,
  oneOfTexts,
  resource,
  text,
  timestamp,
  whole,
  type Answer,
} from '../../../platform/http/openapi-schema';
import { SANDBOX_OUTCOMES } from '../sandbox-outcomes';

const SANDBOX_CLOCK = resource(
  'sandbox_clock',
  'The clock of your account in test mode: it ticks as any other, ahead of the real time by what it was advanced',
  {
    object: constant('sandbox_clock'),
    mode: constant('test'),
    now: timestamp('What it shows as this is answered'),
    advanced_ms: whole('How far it is ahead of the real time, in all', 900_000),
    advanced_at: nullable(timestamp('The real time of the last advance; null where there was none')),
  },
);

export type SandboxClockResource = Answer<typeof SANDBOX_CLOCK>;

const SANDBOX_TRANSFER = resource(
  'sandbox_transfer',
  'What a customer of the sandbox sent on the local chain',
  {
    object: constant('sandbox_transfer'),
    mode: constant('test'),
    payment_intent: id('pi'),
    outcome: oneOfTexts(SANDBOX_OUTCOMES),
    network_id: oneOfTexts(NETWORK_IDS),
    tx_hash: text('The transaction', '0x5f0d…'),
    token_amount: decimal('What was sent', '27.012970'),
  },
);

export type SandboxTransferResource = Answer<typeof SANDBOX_TRANSFER>;

export const SANDBOX_OPERATIONS = {
  getClock: {
    id: 'getSandboxClock',
    summary: 'Retrieve the clock of your account in test mode',
    answer: SANDBOX_CLOCK,
    refuses: [],
  },
  advanceClock: {
    id: 'advanceSandboxClock',
    summary: 'Advance the clock of your account in test mode, to a moment or by a span',
    description:
      'Expiries, cool-downs, retries of webhooks and the last days of rotated keys follow it; other accounts do not. Where payments are made on the local chains, what fell due has happened when this is answered; on a real testnet it follows as blocks come in.',
    answer: SANDBOX_CLOCK,
    refuses: ['invalid_now', 'invalid_advance', 'invalid_duration'],
  },
  send: {
    id: 'createSandboxTransfer',
    summary: 'Play the customer: send tokens for a payment on the local chain',
    description:
      'Really sends them, and lets blocks pass until the payment has come to its outcome. For `short` and `over` it also files the transaction for the payment, whose amount they do not match.',
    answer: SANDBOX_TRANSFER,
    refuses: [
      'payment_not_found', 'payment_not_quoted', 'unsupported_network', 'invalid_state_transition', 'invalid_amount',
      'excess_precision', 'invalid_advance', 'provider_unavailable',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
