import type { ComponentChildren } from 'preact';

type FormProps = {
  readonly action: string;
  /** Names this very form, so that two clicks have one effect. */
  readonly formId: string;
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A form that is sent to the service itself. */
export function Form({ action, formId, id, class: className, children }: FormProps) {
  return (
    <form method="post" action={action} id={id} class={className}>
      <input type="hidden" name="form_id" value={formId} data-fresh />
      {children}
    </form>
  );
}

type FieldProps = {
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string | null;
  readonly value?: string;
  readonly maxLength: number;
  /** The keyboard that a phone shows. */
  readonly keyboard?: 'text' | 'decimal';
};

/** A field of text with its label, and what was wrong with its last value. */
export function Field({ name, id, label, hint, fault = null, value = '', maxLength, keyboard }: FieldProps) {
  const described = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        type="text"
        id={id}
        name={name}
        value={value}
        dir="ltr"
        inputMode={keyboard}
        maxLength={maxLength}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        required
        autofocus={fault !== null}
        aria-invalid={fault === null ? undefined : 'true'}
        aria-describedby={described || undefined}
      />
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
