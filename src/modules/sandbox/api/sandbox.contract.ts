import { parseIsoTime } from '../../../kernel/clock';
import { refuse } from '../../../vocabulary/errors';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { NETWORK_IDS } from '../../../vocabulary/networks';
import { Id, OneOf, Text, Timestamp } from '../../../platform/http/fields/text-fields';
import { Flag, Whole } from '../../../platform/http/fields/value-fields';
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
import { LONGEST_ADVANCE_MS, type ClockGoal } from '../commands/advance-sandbox-clock.command';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from '../../../vocabulary/sandbox-outcomes';

export class AdvanceSandboxClockDto {
  @Timestamp({
    presence: 'optional',
    code: 'invalid_now',
    description: 'The moment to show from now on',
    example: '2026-11-21T12:15:00.000Z',
  })
  now?: string;

  @Whole({
    presence: 'optional',
    min: 0,
    max: LONGEST_ADVANCE_MS,
    code: {
      among: ['invalid_advance', 'invalid_duration'],
      of: value => (Number.isInteger(value) ? 'invalid_advance' : 'invalid_duration'),
    },
    description: 'In place of `now`',
    example: 900_000,
  })
  advance_ms?: number;
}

export function goalOf({ now, advance_ms: byMs }: AdvanceSandboxClockDto): ClockGoal {
  if (now !== undefined && byMs !== undefined) {
    throw refuse('parameter_invalid', { param: 'advance_ms', message: 'Give now or advance_ms, not both.' });
  }
  if (byMs !== undefined) return { type: 'advance', byMs };
  if (now !== undefined) return { type: 'set', nowMs: momentOf(now) };
  throw refuse('parameter_missing', { param: 'now', message: 'Give now or advance_ms.' });
}

function momentOf(text: string): number {
  try {
    return parseIsoTime(canonicalTimestamp(text, 'now'));
  } catch (cause) {
    throw refuse('invalid_now', { param: 'now', cause });
  }
}

export class SendSandboxTransferDto {
  @Id('pi', { description: 'A payment whose token is chosen.' })
  payment_intent!: string;

  @OneOf(SANDBOX_OUTCOMES)
  outcome!: SandboxOutcome;

  @Text({
    presence: 'nullable',
    code: 'invalid_amount',
    description: 'Amount that `short` and `over` send; left out, a half and one and a half of the amount due',
    example: '12.50',
  })
  token_amount?: string | null;

  @Flag('Whether `short` and `over` file the transaction for the payment', { presence: 'optional', byDefault: true })
  claim?: boolean;
}

const SANDBOX_CLOCK = resource(
  'sandbox_clock',
  'The clock of your account in test mode: it ticks as any other, ahead of the real time by what it was advanced',
  {
    object: constant('sandbox_clock'),
    mode: constant('test'),
    now: timestamp('Time of the clock as this is answered'),
    advanced_ms: whole('How far it is ahead of the real time, in all', 900_000),
    advanced_at: nullable(timestamp('The real time of the last advance; null where there was none')),
  },
);

export type SandboxClockResource = Answer<typeof SANDBOX_CLOCK>;

const SANDBOX_TRANSFER = resource('sandbox_transfer', 'A transfer of a sandbox customer on the local chain', {
  object: constant('sandbox_transfer'),
  mode: constant('test'),
  payment_intent: id('pi'),
  outcome: oneOfTexts(SANDBOX_OUTCOMES),
  network_id: oneOfTexts(NETWORK_IDS),
  tx_hash: text('The transaction', '0x5f0d…'),
  token_amount: decimal('Amount that was sent', '27.012970'),
});

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
      'Expiries, cool-downs, retries of webhooks and the last days of rotated keys follow the clock; other accounts do not. On the local chains, each payment has taken its due steps when the call is answered. On a real testnet, payments take these steps as blocks come in.',
    answer: SANDBOX_CLOCK,
    refuses: ['invalid_now', 'invalid_advance'],
  },
  send: {
    id: 'createSandboxTransfer',
    summary: 'Play the customer: send tokens for a payment on the local chain',
    description:
      'Really sends them, and lets blocks pass until the payment has come to its outcome. For `short` and `over` it also files the transaction for the payment, whose amount they do not match, unless `claim` is false. Then the service has the transfer alone to go by: a transfer that it gives to no payment is listed by `GET /v1/unmatched_transfers`.',
    answer: SANDBOX_TRANSFER,
    refuses: [
      'payment_not_found', 'payment_not_quoted', 'unsupported_network', 'invalid_state_transition', 'invalid_amount',
      'excess_precision', 'invalid_advance', 'provider_unavailable',
    ], // prettier-ignore
  },
} as const satisfies OperationTable;
