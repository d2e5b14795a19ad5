import type { Language } from '../words/language';
import { createScope } from './page-scopes';

/** The facts that every part of a page may need. */
export type PageFacts = {
  readonly language: Language;
  /** All languages that the page can be read in. */
  readonly languages: readonly Language[];
  /** The address of a built script or style, by its name in the source. */
  readonly assetPath: (name: string) => string;
  /** The shape of an icon as SVG elements, by its name. Throws Error for a name that is not listed. */
  readonly iconShape: (name: string) => string;
  /** The path below which the service is reached, such as `/pay`; empty where that is the host itself. */
  readonly root: string;
  /** The page's own path, without a query. */
  readonly path: string;
  /** The language that the page's address names, null where the browser's own counts. */
  readonly namedLanguage: string | null;
};

export const PageContext = createScope<PageFacts | null>(null);

export function usePage(): PageFacts {
  const facts = PageContext.read();
  if (!facts) throw new Error('a part of a page stands outside of a page');
  return facts;
}

/** A path with the language that the reader has chosen, so that links keep it. */
export function keepingLanguage({ namedLanguage }: PageFacts, path: string): string {
  return namedLanguage === null ? path : `${path}?lang=${namedLanguage}`;
}
