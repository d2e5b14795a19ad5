import type { ComponentChildren } from 'preact';
import { SignedForm, Submit } from './signed-form';

type ConfirmProps = {
  /** Unique on the page. */
  readonly id: string;
  readonly action: string;
  /** The words of the button that opens the question, and of the one that acts. */
  readonly button: ComponentChildren;
  /** The effect, and on whom. */
  readonly text: ComponentChildren;
  readonly isDanger?: boolean;
  /** The step is the main one of its page. */
  readonly isMain?: boolean;
  readonly asksCode?: boolean;
  /** Further fields. */
  readonly children?: ComponentChildren;
  /** True where the form was refused, so that its reason is seen. */
  readonly isOpen?: boolean;
};

/** A step that asks before it acts: the question opens in place, and says what will happen. */
export function Confirm(props: ConfirmProps) {
  const { id, action, button, text, isMain = false, asksCode = false, children, isOpen = false } = props;
  const { isDanger = !isMain } = props;
  const kind = isMain ? ' main' : isDanger ? ' danger' : '';
  return (
    <details class="confirm no-print" id={id} open={isOpen}>
      <summary class={`button${kind}`}>{button}</summary>
      <SignedForm action={action} asksCode={asksCode}>
        <div>{text}</div>
        {children}
        <Submit isDanger={isDanger}>{button}</Submit>
      </SignedForm>
    </details>
  );
}
