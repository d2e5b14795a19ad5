import type { ComponentChildren } from 'preact';
import { keepingLanguage, usePage } from './page-context';

type PageProps = {
  readonly title: string;
  /** The names of the page's style and script in the source. */
  readonly style: string;
  readonly script: string | null;
  /** Paths of styles of this page alone. */
  readonly ownStyles?: readonly string[];
  /** The state that the page shows; null for a page that never changes by itself. */
  readonly version: string | null;
  /** The path of the page's events; null for a page that never changes by itself. */
  readonly events: string | null;
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A whole document with one `main`. */
export function Page(props: PageProps) {
  const { title, style, script, ownStyles = [], version, events, before, after, children } = props;
  const page = usePage();
  const { language, assetPath } = page;
  return (
    <html lang={language.code} dir={language.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath(style)} />
        {ownStyles.map(path => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        {script !== null && <script src={assetPath(script)} defer />}
      </head>
      <body
        data-page={events === null ? undefined : keepingLanguage(page, page.path)}
        data-page-version={version ?? undefined}
        data-events={events ?? undefined}
      >
        <a class="skip" href="#main">
          {language.say('page.skip')}
        </a>
        {before}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
        {after}
        <p id="said" class="sr" role="status" />
      </body>
    </html>
  );
}

/** The languages that the page can be read in. */
export function LanguageLinks() {
  const page = usePage();
  return (
    <nav class="languages no-print" aria-label={page.language.say('page.languages')}>
      {page.languages.map(({ code, name }) => (
        <a
          key={code}
          href={keepingLanguage({ ...page, namedLanguage: code }, page.path)}
          lang={code}
          hreflang={code}
          aria-current={code === page.language.code ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
