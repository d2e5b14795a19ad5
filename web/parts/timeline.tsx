import type { ComponentChildren } from 'preact';
import { Icon } from './icon';
import type { Tone } from './status-badge';

export type Happening = {
  /** Unique on the page: an open evidence stays open when the page changes. */
  readonly id: string;
  readonly icon: string;
  readonly tone: Tone;
  readonly title: ComponentChildren;
  readonly time: ComponentChildren;
  readonly text?: ComponentChildren;
  /** The line above the evidence, such as `event 2, TransferDetected, by watcher`. */
  readonly source?: string;
  readonly evidence?: readonly (readonly [term: string, value: ComponentChildren])[];
  /** Not yet at the moment that the page shows. */
  readonly isLater?: boolean;
};

/** An object's steps in their order, each with its evidence. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly Happening[] }) {
  return (
    <ol class="timeline" aria-label={label}>
      {steps.map(step => (
        <Step key={step.id} step={step} />
      ))}
    </ol>
  );
}

function Step({ step }: { readonly step: Happening }) {
  const { id, icon, tone, title, time, text, source, evidence = [], isLater = false } = step;
  return (
    <li class={isLater ? 'later' : undefined}>
      <span class={`sign ${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="happening">
        <p class="title">
          <strong>{title}</strong>
          <span class="time">{time}</span>
        </p>
        {text !== undefined && !isLater && <div class="text">{text}</div>}
        {source !== undefined && !isLater && (
          <details id={id}>
            <summary>Evidence: {source}</summary>
            <dl class="evidence">
              {evidence.map(([term, value]) => (
                <div key={term}>
                  <dt>{term}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  );
}
