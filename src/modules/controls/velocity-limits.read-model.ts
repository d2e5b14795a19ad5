import type { ReadModel } from '../../kernel/ports/read-models';
import type { VelocityLimit } from '../../vocabulary/payment-limits';
import { limitOf } from './velocity-limit-terms';
import type { VelocitySubject } from './velocity-limit.events';

/** The limit of one kind of subject, which is the document's id. */
export type VelocityLimitDocument = {
  readonly subject: VelocitySubject;
  readonly window_ms: number;
  readonly max_count: number;
  readonly max_amount_usd_minor_units: string;
  /** False once the limit was lifted. */
  readonly is_set: boolean;
  readonly set_at: string;
};

export const velocityLimitsReadModel: ReadModel<VelocityLimitDocument> = {
  name: 'velocity_limits',
  version: 1,
  indexes: { by_set: ['is_set', 'set_at', 'id'] },
};

/** The document of a kind's limit, for a reading of what can change from one request to the next. */
export function velocityAsked(subject: VelocitySubject) {
  return { readModel: velocityLimitsReadModel, universe: 'platform', id: subject } as const;
}

/** The limit that stands; null where none was set, or it was lifted. */
export function velocityOf(document: VelocityLimitDocument | null | undefined): VelocityLimit | null {
  return document?.is_set ? limitOf(document) : null;
}
