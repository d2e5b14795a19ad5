import type { ComponentChildren } from 'preact';

type Change = {
  readonly name: string;
  /** Null where there was nothing before. */
  readonly before: ComponentChildren | null;
  /** Null where nothing is left. */
  readonly after: ComponentChildren | null;
};

/** Each changed fact, before and after. */
export function Diff({ label, changes }: { readonly label: string; readonly changes: readonly Change[] }) {
  return (
    <dl class="diff" aria-label={label}>
      {changes.map(({ name, before, after }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
