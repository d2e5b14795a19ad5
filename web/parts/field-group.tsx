import type { ComponentChildren } from 'preact';
import { useField } from './form-field';

type FieldGroupProps = {
  /** The name by which a refusal names the group. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
};

/** Boxes to tick that belong together, with the reason why the choice was refused. */
export function FieldGroup({ name, label, hint, children }: FieldGroupProps) {
  const { id, fault } = useField(name);
  return (
    <fieldset class="field-group" id={id} tabIndex={-1}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {fault !== null && <p class="fault">{fault}</p>}
      <div class="boxes">{children}</div>
    </fieldset>
  );
}
