import type { ComponentChildren } from 'preact';
import { CodeField } from './fields';
import { FormFacts, fieldId } from './form-field';
import { Icon } from './icon';
import { FaultNote } from './note';
import { useFault, useSigned } from './signed-context';

type SignedFormProps = {
  readonly action: string;
  readonly id?: string;
  /** The action is risky: the field of the one-time code comes before the form's Submit. */
  readonly asksCode?: boolean;
  /** The form sends a file. */
  readonly isUpload?: boolean;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A form of people who sign in: its id and its token, and the reason why it was refused, linked to the field. */
export function SignedForm(props: SignedFormProps) {
  const { action, id, asksCode = false, isUpload = false, class: className = 'form', children } = props;
  const { csrf, formId } = useSigned();
  return (
    <FormFacts.Provider value={{ action, asksCode, isFilter: false }}>
      <form
        method="post"
        action={action}
        enctype={isUpload ? 'multipart/form-data' : undefined}
        id={id}
        class={className}
        data-once
      >
        {csrf !== '' && <input type="hidden" name="csrf" value={csrf} data-fresh />}
        {csrf !== '' && <input type="hidden" name="form_id" value={formId} data-fresh />}
        <FaultSummary action={action} />
        {children}
      </form>
    </FormFacts.Provider>
  );
}

/** The focus goes there, so that nobody has to look for the reason. */
function FaultSummary({ action }: { readonly action: string }) {
  const fault = useFault();
  if (fault?.action !== action) return null;
  const { text, param } = fault;
  return (
    <div class="note bad" tabIndex={-1} autofocus>
      <Icon name="circle-alert" />
      <p role="alert">{param === null ? text : <a href={`#${fieldId(action, param)}`}>{text}</a>}</p>
    </div>
  );
}

type HiddenFaultProps = {
  /** The addresses of the page's forms, each of which shows its own fault. */
  readonly drawn: readonly string[];
};

/** The reason of a refused form that the page no longer draws, such as one of an object that changed meanwhile. */
export function HiddenFault({ drawn }: HiddenFaultProps) {
  const fault = useFault();
  return fault === null || drawn.includes(fault.action) ? null : <FaultNote text={fault.text} />;
}

type SubmitProps = { readonly children: ComponentChildren; readonly isDanger?: boolean; readonly isMain?: boolean };

/** The button of a form, behind the field of the one-time code where the form asks for one. */
export function Submit({ children, isDanger = false, isMain = !isDanger }: SubmitProps) {
  const { asksCode } = FormFacts.read();
  return (
    <>
      {asksCode && <CodeField hint="Each code works once. The next one comes within 30 seconds." />}
      <button type="submit" class={`button${isMain ? ' main' : ''}${isDanger ? ' danger' : ''}`}>
        {children}
      </button>
    </>
  );
}
