import type { RecordedEvent } from '../../src/kernel/event';
import { InvariantViolation } from '../../src/kernel/invariant';
import { DuplicateKey } from '../../src/kernel/ports/documents';
import { ForeignDocuments } from './checkpoint-proof';

/** A recorded event that a projection cannot take. Trying again cannot help: the projection must be mended. */
export class PoisonEvent extends Error {
  constructor(
    readonly projection: string,
    readonly event: RecordedEvent,
    cause: unknown,
  ) {
    const where = `${event.type} at ${event.stream}#${event.revision}, position ${event.position}`;
    super(`${projection} cannot take ${where}: ${(cause as Error).message}`, { cause });
    this.name = 'PoisonEvent';
  }
}

/** True for a fault that the same events would bring about again; any other error counts as an engine that is away. */
export function isDefect(error: unknown): boolean {
  return (
    error instanceof PoisonEvent ||
    error instanceof ForeignDocuments ||
    error instanceof InvariantViolation ||
    error instanceof DuplicateKey ||
    error instanceof TypeError ||
    error instanceof RangeError
  );
}
