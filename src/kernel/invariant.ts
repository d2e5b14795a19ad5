/** A broken invariant stops the handler that met it, never the process. The check stays on in production. */
export class InvariantViolation extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvariantViolation';
  }
}

export function invariant(holds: unknown, message: string): asserts holds {
  if (!holds) throw new InvariantViolation(message);
}

/** The default branch of an exhaustive switch: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unexpected value ${JSON.stringify(value)}`);
}
