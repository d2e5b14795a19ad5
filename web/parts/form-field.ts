import { createScope } from './page-scopes';
import { SignedContext } from './signed-context';

/** The form that fields stand in: its address, whether it asks for a one-time code, and whether it filters a list. */
export const FormFacts = createScope({ action: '', asksCode: false, isFilter: false });

/** A field's id, and the facts of its refusal. */
export type FieldFacts = {
  readonly id: string;
  /** No field of a filter has to be filled in. */
  readonly isFilter: boolean;
  /** The value as typed into the refused form; undefined where the form was not sent. */
  readonly typed: string | undefined;
  /** True where the refused form was sent without the field, as a box that was not ticked. */
  readonly wasSent: boolean;
  readonly fault: string | null;
};

/** The facts of a field in its form: what was typed, and what is wrong with it. */
export function useField(name: string): FieldFacts {
  const { action, isFilter } = FormFacts.read();
  const fault = SignedContext.read()?.fault ?? null;
  const id = fieldId(action, name);
  if (fault?.action !== action) return { id, isFilter, typed: undefined, wasSent: false, fault: null };
  return { id, isFilter, typed: fault.typed[name], wasSent: true, fault: fault.param === name ? fault.text : null };
}

/** The id of a form's field: two forms of one page may have fields of one name. */
export function fieldId(action: string, name: string): string {
  return `${action.split('/').slice(-2).join('-')}-${name}`.replaceAll(/[^\w-]/g, '-');
}
