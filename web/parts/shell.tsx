import type { ComponentChildren } from 'preact';
import { Icon } from './icon';
import { Page } from './page';

type ShellLink = { readonly href: string; readonly text: string; readonly isCurrent?: boolean };

type ShellProps = {
  /** The document's title, without the product's name. */
  readonly title: string;
  /** The address that the product's name leads to. */
  readonly home: string;
  /** The name of the navigation. */
  readonly label: string;
  readonly links: readonly ShellLink[];
  readonly script?: string | null;
  readonly children: ComponentChildren;
};

/** A page of the documentation's look: the product's name, the ways to other pages, and the content. */
export function Shell({ title, home, label, links, script = null, children }: ShellProps) {
  const bar = (
    <header class="bar">
      <div class="bar-inner">
        <a class="product" href={home}>
          <Icon name="receipt-text" />
          Quittance
        </a>
        <nav class="bar-links no-print" aria-label={label}>
          {links.map(({ href, text, isCurrent = false }) => (
            <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
  return (
    <Page title={`${title} – Quittance`} style="docs.css" script={script} version={null} events={null} before={bar}>
      <div class="content">{children}</div>
    </Page>
  );
}
