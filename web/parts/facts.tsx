import type { ComponentChildren } from 'preact';
import type { MessageKey } from '../words/language';
import { usePage } from './page-context';

/** One line of a list of facts, as `dl` holds them. */
export function Fact({ term, children }: { readonly term: MessageKey; readonly children: ComponentChildren }) {
  const { language } = usePage();
  return (
    <div>
      <dt>{language.say(term)}</dt>
      <dd>{children}</dd>
    </div>
  );
}
