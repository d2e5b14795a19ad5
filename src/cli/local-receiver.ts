import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookOutcome } from '../kernel/ports/webhook-sender';
import { signatureHeader } from '../modules/webhooks/signature';
import { WEBHOOK_TYPES } from '../modules/webhooks/webhook-types';
import { SystemClock } from '../platform/clock/system-clock';
import { HttpWebhookSender } from '../platform/webhooks/http-webhook-sender';
import type { WebhookBody } from './event-feed';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const TYPE_WIDTH = Math.max(...WEBHOOK_TYPES.map(({ length }) => length));

/** A receiver that takes no connection may be starting. */
const MOST_ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 500;

/** A receiver of webhooks on this machine, by the very sender of the service. */
export class LocalReceiver {
  private readonly sender = new HttpWebhookSender({ allowedSubnets: LOOPBACK, ports: [] });
  private readonly clock = new SystemClock();

  constructor(
    private readonly url: string,
    private readonly secret: string,
  ) {}

  /** Tries for ten seconds until the receiver takes a connection, or the user interrupts. */
  async take(event: WebhookBody, signal: AbortSignal): Promise<WebhookOutcome> {
    for (let left = MOST_ATTEMPTS; ; left--) {
      const outcome = await this.attempt(event);
      if (outcome.error !== 'connection_failed' || left <= 1 || signal.aborted) return outcome;
      await pause(ATTEMPT_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private attempt({ id, type, created, api_version, data }: WebhookBody): Promise<WebhookOutcome> {
    const body = JSON.stringify({ id, type, created, api_version, data });
    const signature = signatureHeader(body, [this.secret], this.clock.now());
    const headers = { 'content-type': 'application/json', 'service-signature': signature };
    return this.sender.send({ url: this.url, mode: 'test', headers, body });
  }
}

/** One line an event, with the status that the receiver answered, or the fault in its place. */
export function tellDelivery({ id, type, data }: WebhookBody, { statusCode, error, latencyMs }: WebhookOutcome) {
  const payment = (data as { readonly id?: unknown } | null)?.id ?? null;
  const facts = { event: id, type, payment_intent: payment, status_code: statusCode, error, latency_ms: latencyMs };
  const line = [id, type.padEnd(TYPE_WIDTH), String(payment), '->', String(statusCode ?? error), `${latencyMs} ms`];
  return { facts, line: line.join('  ') };
}
