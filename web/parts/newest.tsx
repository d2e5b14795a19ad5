import { keepingLanguage, usePage } from './page-context';

type NewestProps = {
  /** The path of the page. */
  readonly path: string;
};

/** Shown by the page's script while the newest page cannot be had. `text` says so, where no payment is at stake. */
export function NotCurrent({ path, text }: NewestProps & { readonly text?: string }) {
  const page = usePage();
  const words = text ?? page.language.say('page.not_current');
  return (
    <aside id="not-current" class="not-current" hidden aria-label={words}>
      <span>{words}</span> <a href={keepingLanguage(page, path)}>{page.language.say('page.look_again')}</a>
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
