import type { ComponentChildren } from 'preact';

type DefinitionsProps = { readonly entries: readonly (readonly [term: string, value: ComponentChildren])[] };

/** Names with their values: beside each other, or one below the other on a narrow screen. */
export function Definitions({ entries }: DefinitionsProps) {
  return (
    <dl class="definitions">
      {entries.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
