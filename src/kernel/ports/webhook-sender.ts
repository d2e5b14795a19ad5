import type { Mode } from '../../vocabulary/modes';

export type WebhookRequest = {
  readonly url: string;
  readonly mode: Mode;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The outcome of one attempt: never an exception, since every failure is a fact about the receiver. */
export type WebhookOutcome = {
  /** Null when no answer came. */
  readonly statusCode: number | null;
  /**
   * The reason why no answer came: `timeout`, `connection_failed`, `tls_error`, `blocked_address`, `dns_error`; null
   * when an answer came.
   */
  readonly error: string | null;
  readonly latencyMs: number;
  /** At most 1,024 characters. */
  readonly responseExcerpt: string;
};

export interface WebhookSender {
  send(request: WebhookRequest): Promise<WebhookOutcome>;
}
