import type { ComponentChildren } from 'preact';
import { Copy } from './copy';
import { Note } from './note';
import { spoken } from './status-badge';

type SecretProps = {
  readonly label: string;
  /** One secret, or several of one kind. */
  readonly texts: readonly string[];
  readonly children?: ComponentChildren;
};

/** A secret that is shown this once. */
export function Secret({ label, texts, children }: SecretProps) {
  return (
    <div class="secret">
      <Note tone="warn" icon="triangle-alert">
        <p>
          <strong>Keep this now.</strong> It is shown this once, and nobody can show it again.
        </p>
      </Note>
      <p class="label">{spoken(label)}</p>
      <ul class="secrets">
        {texts.map(text => (
          <li key={text}>
            <code>{text}</code>
          </li>
        ))}
      </ul>
      <Copy text={texts.join('\n')} label={`Copy ${label}`} isLabelled />
      {children}
    </div>
  );
}
