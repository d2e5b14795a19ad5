import type { ComponentChildren } from 'preact';
import { Copy } from './copy';

type CopiedProps = {
  readonly text: string;
  /** The words of the button, such as `Copy the id`. */
  readonly label: string;
  /** Stands in place of the plain text. */
  readonly children?: ComponentChildren;
};

/** A text that people take along, with the button that copies it. */
export function Copied({ text, label, children = <span class="mono">{text}</span> }: CopiedProps) {
  return (
    <span class="copied">
      {children}
      <Copy text={text} label={label} />
    </span>
  );
}
