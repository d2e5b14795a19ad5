import { DocsPage, type DocsSite } from './screens/docs-page';
import type { Guide } from './screens/guide-blocks';
import { Blocks } from './screens/markdown';

type GuidePageProps = {
  readonly site: DocsSite;
  readonly guide: Guide;
  /** The guide's link in the navigation. */
  readonly place: string;
};

/** A guide that is written by hand. */
export function GuidePage({ site, guide, place }: GuidePageProps) {
  const { blocks } = guide;
  const sections = blocks.filter(block => block.kind === 'heading').filter(({ level }) => level === 2);
  const start = blocks.findIndex(block => block.kind === 'heading' && block.level === 2);
  const end = start < 0 ? blocks.length : start;
  return (
    <DocsPage site={site} title={guide.title} place={place}>
      <Blocks site={site} blocks={blocks.slice(0, end)} />
      {sections.length > 1 && (
        <nav class="on-page no-print" aria-label="On this page">
          {sections.map(({ id, text }) => (
            <a key={id} href={`#${id}`}>
              {text}
            </a>
          ))}
        </nav>
      )}
      <Blocks site={site} blocks={blocks.slice(end)} />
    </DocsPage>
  );
}
