import type { ComponentChildren } from 'preact';
import { OperatorBar } from './console-page';
import { Page } from './page';
import { usePage } from './page-context';
import { useSigned } from './signed-context';
import { Product, SCRIPT } from './signed-page';

/** Makes addresses of pages on the way in: `at('sign-in')`. */
export function useEntryPaths(): (path: string) => string {
  const { root } = usePage();
  const { realm } = useSigned();
  return path => `${root}${realm.place}/${path}`;
}

type EntryPageProps = {
  readonly title: string;
  /** Ways to other pages, below the card. */
  readonly ways?: readonly { readonly href: string; readonly text: string }[];
  readonly children: ComponentChildren;
};

/** A page on the way in: one card, and no navigation. */
export function EntryPage({ title, ways = [], children }: EntryPageProps) {
  const { root } = usePage();
  const { version, realm } = useSigned();
  const bar = (
    <>
      {realm.name === 'admin' && <OperatorBar />}
      <header class="entry-bar">
        <Product href={`${root}${realm.place}`} />
      </header>
    </>
  );
  return (
    <Page
      style={realm.style}
      script={SCRIPT}
      title={`${title} – ${realm.product}`}
      version={version}
      events={null}
      before={bar}
    >
      <div class="entry">
        <section class="card" aria-labelledby="title">
          <h1 id="title">{title}</h1>
          {children}
        </section>
        {ways.length > 0 && (
          <nav class="ways-on" aria-label="Other ways">
            {ways.map(({ href, text }) => (
              <a key={href} href={href}>
                {text}
              </a>
            ))}
          </nav>
        )}
      </div>
    </Page>
  );
}
