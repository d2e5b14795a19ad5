import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** The values that stand at the moment, by their scopes: those of one page, which is rendered in one go. */
let standing: Map<object, unknown> = new Map();

type Scope<Value> = {
  readonly Provider: (props: { readonly value: Value; readonly children?: ComponentChildren }) => ComponentChildren;
  /** The value of the nearest provider around the part that asks. */
  readonly read: () => Value;
};

/**
 * A value for all parts inside of a provider. Contexts of Preact have each part subscribe to changes, which the server
 * never makes: that took half of a list's time.
 */
export function createScope<Value>(outside: Value): Scope<Value> {
  const key = {};
  const read = () => (standing.has(key) ? (standing.get(key) as Value) : outside);

  function End({ former }: { readonly former: Value }): null {
    standing.set(key, former);
    return null;
  }
  function Provider({ value, children }: { readonly value: Value; readonly children?: ComponentChildren }) {
    const former = read();
    standing.set(key, value);
    return (
      <>
        {children}
        <End former={former} />
      </>
    );
  }
  return { Provider, read };
}

/** The text of a page. A part that throws leaves no value to the next page. */
export function renderedText<Props>(page: VNode<Props>): string {
  const others = standing;
  standing = new Map();
  try {
    return renderToString(page);
  } finally {
    standing = others;
  }
}
