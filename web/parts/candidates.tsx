import type { ComponentChildren } from 'preact';

type Candidate = {
  readonly id: string;
  readonly name: ComponentChildren;
  /** In whole percent; left out where the order alone is known. */
  readonly score?: number;
  /** Facts by which somebody knows the object, besides its name. */
  readonly facts?: ComponentChildren;
  readonly reasons: readonly string[];
  /** The form that chooses it. */
  readonly action: ComponentChildren;
};

/** Objects that may be meant, the likeliest first, each with its reasons. */
export function Candidates({ label, candidates }: { label: string; candidates: readonly Candidate[] }) {
  return (
    <ol class="candidates" aria-label={label}>
      {candidates.map(({ id, name, score, facts, reasons, action }) => (
        <li key={id}>
          <div>
            <p class="title">
              {name} {score !== undefined && <span class="score">fits by {score}%</span>}
            </p>
            {facts}
            <ul>
              {reasons.map(reason => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
          {action}
        </li>
      ))}
    </ol>
  );
}
