import { usePage } from './page-context';

/** A picture beside words that say the same; screen readers skip it. */
export function Icon({ name }: { readonly name: string }) {
  const { iconShape } = usePage();
  // The shape comes from the set of icons that the build reads, never from a request.
  const shape = { __html: iconShape(name) };
  return <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false" dangerouslySetInnerHTML={shape} />;
}
