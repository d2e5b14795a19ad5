import type { DocsSite } from './docs-page';

const GUIDE = /^(?:\.\/)?([a-z0-9-]+)\.md(#[\w-]+)?$/;
const OWN_PATH = /^\/(?:docs(?:\/|$)|openapi\.json$)/;
const FILE = /^\.\.\/([\w-][\w./-]*\.md)(?:#[\w-]+)?$/;
const SAFE = /^(?:https:\/\/|#)/;

/**
 * The address of a link in a guide as a browser sees it. Null for a link that leads to no page of the documentation,
 * such as another file of the project.
 */
export function guideLink({ root, guides }: DocsSite, href: string): string | null {
  const [, name, fragment = ''] = GUIDE.exec(href) ?? [];
  if (name !== undefined) return guides.some(guide => guide.name === name) ? `${root}/${name}${fragment}` : null;
  if (OWN_PATH.test(href)) return root.replace(/\/docs$/, href);
  return SAFE.test(href) ? href : null;
}

/** The path of a file of the project that a guide links to and no page shows; null for every other link. */
export function projectFile(href: string): string | null {
  const [, path] = FILE.exec(href) ?? [];
  return path === undefined ? null : `docs/${path}`;
}
