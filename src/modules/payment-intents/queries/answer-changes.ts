import type { JsonValue } from '../../../vocabulary/json';
import type { PaymentIntentResource } from './payment-intent.answer';

/** A field of the answer by its path, such as `payment_method.rate`; null where the answer has no value there. */
export type FieldChange = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** The fields in which two answers differ, in the order of the answer; a first answer has no `before`. */
export function answerChanges(
  before: PaymentIntentResource | null,
  after: PaymentIntentResource,
): readonly FieldChange[] {
  const [was, is] = [before === null ? new Map<string, string>() : fieldsOf(before), fieldsOf(after)];
  const fields = [...new Set([...is.keys(), ...was.keys()])];
  return fields
    .map(field => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter(change => change.before !== change.after);
}

function fieldsOf(answer: PaymentIntentResource): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  collect('', answer as JsonValue, fields);
  return fields;
}

function collect(path: string, value: JsonValue, fields: Map<string, string>): void {
  if (value === null) return;
  if (typeof value !== 'object') return void fields.set(path, String(value));
  for (const [name, part] of entriesOf(value)) collect(path === '' ? name : `${path}.${name}`, part, fields);
}

/** An object of a list is named by its id, so that it stays the same where others come before it. */
function entriesOf(value: object): readonly (readonly [string, JsonValue])[] {
  if (!Array.isArray(value)) return Object.entries(value) as [string, JsonValue][];
  return value.map((part: JsonValue, index) => [idOf(part) ?? String(index), part]);
}

function idOf(part: JsonValue): string | null {
  const isObject = typeof part === 'object' && part !== null && !Array.isArray(part);
  return isObject && 'id' in part && typeof part.id === 'string' ? part.id : null;
}
