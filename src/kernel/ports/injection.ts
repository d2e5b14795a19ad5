/**
 * Names under which the composition root provides the ports: `constructor(@Inject(PORTS.clock) private readonly clock:
 * Clock)`.
 */
export const PORTS = {
  clock: Symbol('Clock'),
  entropy: Symbol('Entropy'),
  eventStore: Symbol('EventStore'),
  documents: Symbol('Documents'),
  readModels: Symbol('ReadModels'),
  secretBox: Symbol('SecretBox'),
  log: Symbol('Log'),
  canonicalBlocks: Symbol('CanonicalBlocks'),
} as const;
