import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock';
import { signatureHeader } from '../../src/modules/webhooks/signature';
import { MAX_ATTEMPTS, MAX_REDELIVERIES, RETRY_DELAYS_MS } from '../../src/modules/webhooks/webhook-delivery.decider';
import { SECRET_OVERLAP_MS } from '../../src/modules/webhooks/webhook-endpoint.decider';
import { TIMEOUT_MS } from '../../src/platform/webhooks/http-webhook-sender';
import { FAILURES_TO_DISABLE, SILENCE_TO_DISABLE_MS } from '../../src/processes/webhook-delivery/endpoint-health';

const SECRET = 'whsec_Zk3q8VtW1yHn5RbD7cXm2PfL9sGaJ4uE';
const BODY = '{"id":"evt_1"}';
const TIME_MS = 1_793_534_400_000;

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}

function duration(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = (ms % HOUR_MS) / MINUTE_MS;
  const parts = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : ''];
  return parts.filter(Boolean).join(' ');
}

/** The steps of a signature on one small body, in Markdown. */
export function signatureByHand(): string {
  const header = signatureHeader(BODY, [SECRET], TIME_MS);
  const time = String(TIME_MS / SECOND_MS);
  return [
    row('Part', 'Value'),
    row('---', '---'),
    row('key, in hexadecimal digits', `\`${hex(SECRET)}\``),
    row('message', `\`${time}.${BODY}\``),
    row('message, in hexadecimal digits', `\`${hex(`${time}.${BODY}`)}\``),
    row('`Service-Signature`', `\`${header}\``),
  ].join('\n');
}

/** When each attempt is made, in Markdown. */
export function retryTable(): string {
  let sinceFirstMs = 0;
  const rows = RETRY_DELAYS_MS.map((delayMs, index) => {
    sinceFirstMs += delayMs;
    return row(index + 2, duration(delayMs), duration(sinceFirstMs));
  });
  const heads = [row('Attempt', 'After the attempt before', 'After the first attempt'), row('---:', '---', '---')];
  return [...heads, row(1, 'at once', ''), ...rows].join('\n');
}

/** Limits that a receiver meets, in Markdown. */
export function webhookLimits(): string {
  const seconds = `${TIMEOUT_MS / SECOND_MS} s`;
  return [
    row('Limit', 'Value'),
    row('---', '---'),
    row('Time to connect, with DNS and TLS', seconds),
    row('Time for the answer, once connected', seconds),
    row('Attempts of the schedule', MAX_ATTEMPTS),
    row('Redeliveries of one delivery', MAX_REDELIVERIES),
    row('Time in which a rolled secret still signs', duration(SECRET_OVERLAP_MS)),
    row(
      'An endpoint is disabled',
      `after ${duration(SILENCE_TO_DISABLE_MS)} without a delivery and ${FAILURES_TO_DISABLE} failed attempts`,
    ),
  ].join('\n');
}
