import type { ComponentChildren } from 'preact';
import { useDashboard } from './dashboard-context';
import { CONSOLE } from './dashboard-page';
import { Icon } from './icon';
import { Page } from './page';
import { usePage } from './page-context';

type EntryPageProps = {
  readonly title: string;
  /** Ways to other pages, below the card. */
  readonly ways?: readonly { readonly href: string; readonly text: string }[];
  readonly children: ComponentChildren;
};

/** A page on the way in: one card, and no navigation. */
export function EntryPage({ title, ways = [], children }: EntryPageProps) {
  const { root } = usePage();
  const { version } = useDashboard();
  const bar = (
    <header class="entry-bar">
      <a class="product" href={`${root}/dashboard`}>
        <Icon name="receipt-text" />
        Quittance
      </a>
    </header>
  );
  return (
    <Page {...CONSOLE} title={`${title} – Quittance`} version={version} events={null} before={bar}>
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
