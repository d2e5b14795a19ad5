import type { ComponentChildren } from 'preact';
import { Shell } from '../../parts/shell';

/** The documentation's addresses as a browser sees them. */
export type DocsSite = {
  /** The path of the first page, such as `/docs`. */
  readonly root: string;
  /** The address of the OpenAPI document. */
  readonly contract: string;
  /** The guides that stand, by the names in their addresses. */
  readonly guides: readonly { readonly name: string; readonly text: string }[];
};

type DocsPageProps = {
  readonly site: DocsSite;
  readonly title: string;
  /** The link of the navigation that the page belongs to; null for none. */
  readonly place: string | null;
  readonly children: ComponentChildren;
};

/** A page of the documentation. */
export function DocsPage({ site, title, place, children }: DocsPageProps) {
  const { root, contract, guides } = site;
  const links = [
    ...guides.map(({ name, text }) => ({ href: `${root}/${name}`, text })),
    { href: root, text: 'Operations' },
    { href: `${root}/errors`, text: 'Errors' },
    { href: contract, text: 'openapi.json' },
  ];
  return (
    <Shell
      title={title}
      home={root}
      label="Documentation"
      links={links.map(link => ({ ...link, isCurrent: link.text === place }))}
      script="docs.js"
    >
      {children}
    </Shell>
  );
}
