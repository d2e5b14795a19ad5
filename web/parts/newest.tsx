import { keepingLanguage, usePage } from './page-context';

type NewestProps = {
  /** The path of the page. */
  readonly path: string;
};

/** Shown by the page's script while the newest page cannot be had. */
export function NotCurrent({ path }: NewestProps) {
  const page = usePage();
  return (
    <aside id="not-current" class="not-current" hidden aria-label={page.language.say('page.not_current')}>
      <span>{page.language.say('page.not_current')}</span>{' '}
      <a href={keepingLanguage(page, path)}>{page.language.say('page.look_again')}</a>
    </aside>
  );
}

/** Without script, a page does not change by itself: a link looks for the change. */
export function LookAgain({ path }: NewestProps) {
  const page = usePage();
  return (
    <a class="button wide look-again no-print" data-unscripted href={keepingLanguage(page, path)}>
      {page.language.say('page.look_again')}
    </a>
  );
}
