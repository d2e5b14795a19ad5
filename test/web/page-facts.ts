import { BuiltPages } from '../../web/http/built-pages';
import type { PageFacts } from '../../web/parts/page-context';

const built = BuiltPages.read();

/** The facts of a page as a request in this language gives them. */
export function factsIn(code: string, path = '/checkout/pi_1'): PageFacts {
  return {
    language: built.languages.chosen(code, undefined),
    languages: built.languages.all,
    assetPath: name => `/assets/${built.assetName(name)}`,
    iconShape: name => built.iconShape(name),
    root: '',
    path,
    namedLanguage: null,
  };
}
