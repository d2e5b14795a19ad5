import { ALL_TYPES, WEBHOOK_TYPES } from '../../../src/modules/webhooks/webhook-types';
import type { FormBody } from '../../../src/platform/http/form-body';

/** The boxes of an endpoint's form: one for all types, and one for each. */
export const SUBSCRIBABLE: readonly string[] = [ALL_TYPES, ...WEBHOOK_TYPES];

/** The types that are ticked. The box for all types makes the others needless. */
export function typesIn(form: FormBody): readonly string[] {
  return ALL_TYPES in form ? [ALL_TYPES] : WEBHOOK_TYPES.filter(type => type in form);
}
