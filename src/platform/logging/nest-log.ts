import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

/** The framework's own messages, in the same lines as ours; its start-up chatter only where debugging is on. */
export class NestLog implements LoggerService {
  constructor(private readonly target: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.target.debug({ context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.target.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.target.trace({ context: rest.at(-1) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.target.warn({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error(message instanceof Error ? { err: message } : { details: rest }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.target.fatal(message instanceof Error ? { err: message } : { details: rest }, String(message));
  }
}
