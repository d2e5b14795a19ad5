import type { ComponentChildren } from 'preact';
import { Icon } from './icon';

type ListedStep = {
  readonly title: string;
  readonly state: 'done' | 'now' | 'later';
  readonly children?: ComponentChildren;
};

/** Steps on the way to a goal, with the one that is next. */
export function StepList({ label, steps }: { readonly label: string; readonly steps: readonly ListedStep[] }) {
  return (
    <ol class="step-list" aria-label={label}>
      {steps.map(({ title, state, children }, index) => (
        <li key={title} class={state} aria-current={state === 'now' ? 'step' : undefined}>
          <span class="sign">{state === 'done' ? <Icon name="check" /> : index + 1}</span>
          <div>
            <p class="title">
              {title}
              {state === 'done' && <span class="sr"> (done)</span>}
            </p>
            {children}
          </div>
        </li>
      ))}
    </ol>
  );
}
