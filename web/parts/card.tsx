import type { ComponentChildren } from 'preact';

type CardProps = {
  readonly title?: string;
  /** Names a part of the page that changes by itself. */
  readonly liveId?: string;
  /** Read out when it changes. */
  readonly said?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
};

/** A part of a page that belongs together. */
export function Card({ title, liveId, said, class: className = '', children }: CardProps) {
  return (
    <section
      class={`card ${className}`.trim()}
      id={liveId}
      data-live={liveId === undefined ? undefined : true}
      data-said={said}
    >
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

/** A part of a page that changes by itself. */
export function Live({ id, said, children }: { id: string; said?: string; children: ComponentChildren }) {
  return (
    <div id={id} data-live data-said={said} class="live">
      {children}
    </div>
  );
}

type FigureProps = { readonly label: string; readonly value: ComponentChildren; readonly note?: ComponentChildren };

/** One number that matters, with its name. */
export function Figure({ label, value, note }: FigureProps) {
  return (
    <div class="figure">
      <p class="label">{label}</p>
      <p class="value">{value}</p>
      {note !== undefined && <p class="label">{note}</p>}
    </div>
  );
}
