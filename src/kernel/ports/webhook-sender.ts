import type { Mode } from '../event';

export type WebhookRequest = {
  readonly url: string;
  readonly mode: Mode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What one attempt came to: never an exception, since every failure is a fact about the receiver. */
export type WebhookOutcome = {
  /** Null when no answer came. */
  readonly statusCode: number | null;
  /**
   * Why no answer came: `timeout`, `connection_failed`, `tls_error`, `blocked_address`, `dns_error`; null when one
   * came.
   */
  readonly error: string | null;
  readonly latencyMs: number;
  /** At most 1,024 characters. */
  readonly responseExcerpt: string;
};

export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookOutcome>;
}
