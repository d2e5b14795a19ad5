import type { ComponentChildren } from 'preact';
import { MAX_PASSWORD_LENGTH } from '../../src/modules/users/password';
import { useField, type FieldFacts } from './form-field';

type FieldProps = {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The value before anything was typed. */
  readonly value?: string;
  readonly isOptional?: boolean;
};

type TextFieldProps = FieldProps & {
  readonly type?: 'text' | 'email' | 'url' | 'search' | 'number' | 'date' | 'datetime-local';
  readonly maxLength?: number;
  readonly autocomplete?: string;
  readonly keyboard?: 'text' | 'decimal' | 'numeric';
  readonly placeholder?: string;
};

/** A field of one line. */
export function TextField({
  type = 'text',
  maxLength = 200,
  autocomplete = 'off',
  keyboard,
  ...field
}: TextFieldProps) {
  const facts = useField(field.name);
  return (
    <Labelled field={field} facts={facts}>
      <input
        {...described(field, facts)}
        // The names of one type's attributes serve all of these types.
        type={type as 'text'}
        value={facts.typed ?? field.value ?? ''}
        maxLength={maxLength}
        step={type === 'datetime-local' ? 'any' : undefined}
        autocomplete={autocomplete}
        inputMode={keyboard}
        placeholder={field.placeholder}
        autocapitalize="none"
        spellcheck={false}
      />
    </Labelled>
  );
}

type PasswordFieldProps = Omit<FieldProps, 'value'> & { readonly isNew?: boolean };

/** A password is never shown again, also where its form was refused. */
export function PasswordField({ isNew = false, ...field }: PasswordFieldProps) {
  const facts = useField(field.name);
  return (
    <Labelled field={field} facts={facts}>
      <input
        {...described(field, facts)}
        type="password"
        maxLength={MAX_PASSWORD_LENGTH}
        autocomplete={isNew ? 'new-password' : 'current-password'}
      />
    </Labelled>
  );
}

type CodeFieldProps = { readonly name?: string; readonly label?: string; readonly hint?: ComponentChildren };

/** A one-time code. */
export function CodeField({ name = 'code', label = 'Code of your authenticator', hint }: CodeFieldProps) {
  const facts = useField(name);
  const field = { name, label, hint };
  return (
    <Labelled field={field} facts={facts}>
      <input
        {...described(field, facts)}
        type="text"
        class="code-input"
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={10}
        spellcheck={false}
      />
    </Labelled>
  );
}

type FileFieldProps = Pick<FieldProps, 'name' | 'label' | 'hint'> & { readonly accept: string };

/** A file to choose. A browser sends none again by itself, so a refused form asks for it anew. */
export function FileField({ accept, ...field }: FileFieldProps) {
  const facts = useField(field.name);
  return (
    <Labelled field={field} facts={facts}>
      <input {...described(field, facts)} type="file" accept={accept} />
    </Labelled>
  );
}

/** A field of several lines. */
export function TextAreaField({
  rows = 3,
  maxLength = 500,
  ...field
}: FieldProps & { rows?: number; maxLength?: number }) {
  const facts = useField(field.name);
  return (
    <Labelled field={field} facts={facts}>
      <textarea {...described(field, facts)} rows={rows} maxLength={maxLength}>
        {facts.typed ?? field.value ?? ''}
      </textarea>
    </Labelled>
  );
}

export type Option = { readonly value: string; readonly text: string };

export function SelectField({ options, ...field }: FieldProps & { readonly options: readonly Option[] }) {
  const facts = useField(field.name);
  const chosen = facts.typed ?? field.value;
  return (
    <Labelled field={field} facts={facts}>
      <select {...described(field, facts)}>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

type CheckFieldProps = Pick<FieldProps, 'name' | 'label' | 'hint'> & { readonly isTicked?: boolean };

/** A box to tick, which is sent as `on`; its form declares the field as optional. */
export function CheckField({ name, label, hint, isTicked = false }: CheckFieldProps) {
  const facts = useField(name);
  const ticked = facts.wasSent ? facts.typed !== undefined : isTicked;
  return (
    <div class="field check">
      <input {...described({ name, label, hint, isOptional: true }, facts)} type="checkbox" checked={ticked} />
      <label for={facts.id}>{label}</label>
      <Remarks field={{ name, label, hint }} facts={facts} />
    </div>
  );
}

type ChoiceFieldProps = Omit<FieldProps, 'isOptional'> & { readonly options: readonly Option[] };

/** One of a few values, all of which are shown. */
export function ChoiceField({ options, ...field }: ChoiceFieldProps) {
  const facts = useField(field.name);
  const chosen = facts.typed ?? field.value;
  return (
    <fieldset class="field choice" id={facts.id} tabIndex={-1}>
      <legend>{field.label}</legend>
      <Remarks field={field} facts={facts} />
      {options.map(({ value, text }) => (
        <label key={value}>
          <input type="radio" name={field.name} value={value} checked={value === chosen} required />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

type LabelledProps = {
  readonly field: FieldProps;
  readonly facts: FieldFacts;
  readonly children: ComponentChildren;
};

function Labelled({ field, facts, children }: LabelledProps) {
  return (
    <div class="field">
      <label for={facts.id}>
        {field.label}
        {field.isOptional && <span class="optional"> (optional)</span>}
      </label>
      <Remarks field={field} facts={facts} />
      {children}
    </div>
  );
}

function Remarks({ field: { hint }, facts: { id, fault } }: Omit<LabelledProps, 'children'>) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

function described({ name, hint, isOptional = false }: FieldProps, { id, fault, isFilter }: FieldFacts) {
  const by = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean).join(' ');
  return {
    ...{ id, name },
    required: !isOptional && !isFilter,
    'aria-invalid': fault === null ? undefined : ('true' as const),
    'aria-describedby': by || undefined,
  };
}
