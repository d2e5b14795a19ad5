import { DocsPage, type DocsSite } from './screens/docs-page';

/** The answer for a path below the documentation that nothing stands at. */
export function NotFoundPage({ site }: { readonly site: DocsSite }) {
  return (
    <DocsPage site={site} title="Not found" place={null}>
      <h1>Not found</h1>
      <p class="lead">There is no such page.</p>
      <p>
        The documentation lists all <a href={site.root}>operations</a> and all{' '}
        <a href={`${site.root}/errors`}>error codes</a>.
      </p>
    </DocsPage>
  );
}
