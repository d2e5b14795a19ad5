import type { ReadModel } from '../../kernel/ports/read-models';

/** The clock of a merchant that has advanced it; the document's id is the merchant's. */
export type SandboxClockDocument = {
  readonly mode: string;
  /** The wall's moment of the last advance. */
  readonly advanced_at: string;
  /** The clock's time from then on, ticking. */
  readonly now: string;
};

export const sandboxClocksReadModel: ReadModel<SandboxClockDocument> = {
  name: 'sandbox_clocks',
  version: 1,
  indexes: { by_advanced: ['mode', 'advanced_at', 'id'] },
};
