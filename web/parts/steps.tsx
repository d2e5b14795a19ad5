type Step = { readonly label: string; readonly state: 'done' | 'now' | 'later' };

/** The way of a payment, with the step that it has reached. */
export function Steps({ label, steps }: { readonly label: string; readonly steps: readonly Step[] }) {
  return (
    <ol class="steps" aria-label={label}>
      {steps.map(step => (
        <li key={step.label} class={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
          {step.label}
        </li>
      ))}
    </ol>
  );
}
