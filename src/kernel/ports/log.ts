/** Structured logging, in pino's shape: facts first, then a constant sentence. Secrets are redacted by the adapter. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
