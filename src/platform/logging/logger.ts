import { pino, type DestinationStream, type Logger } from 'pino';
import { redactLine } from './redaction';

export type { Logger };

/**
 * One JSON object a line on standard output, or to `destination`, without any secret. The logger is the kernel's Log
 * port too.
 */
export function createLogger(options: { readonly level: string }, destination?: DestinationStream): Logger {
  const settings = { level: options.level, base: null, hooks: { streamWrite: redactLine } };
  return destination ? pino(settings, destination) : pino(settings);
}
