import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

type NoteProps = {
  readonly tone: 'idle' | 'info' | 'warn' | 'bad';
  readonly icon: string;
  readonly children: ComponentChildren;
};

/** The reason why a form was refused. The focus goes there, so that nobody has to look for the reason. */
export function FaultNote({ text }: { readonly text: string }) {
  return (
    <div class="note bad" tabIndex={-1} autofocus>
      <Icon name="circle-alert" />
      <p role="alert">{text}</p>
    </div>
  );
}

/** A remark set apart from the text around it. */
export function Note({ tone, icon, children }: NoteProps) {
  return (
    <div class={`note ${tone}`}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
