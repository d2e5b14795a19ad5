import type { ComponentChildren } from 'preact';
import { FormFacts } from './form-field';
import { Icon } from './icon';
import { Note } from './note';

type FiltersProps = {
  readonly action: string;
  readonly children: ComponentChildren;
};

/** The filters of a list. The list follows while somebody types; without script a button asks. */
export function Filters({ action, children }: FiltersProps) {
  return (
    <FormFacts.Provider value={{ action, asksCode: false, isFilter: true }}>
      <form method="get" action={action} class="filters no-print" role="search" data-asks>
        {children}
        <button type="submit" class="button" data-unscripted>
          Filter
        </button>
      </form>
    </FormFacts.Provider>
  );
}

/** Stands in place of a list whose filter was refused. */
export function RefusedFilter({ fault }: { readonly fault: string }) {
  return (
    <Note tone="warn" icon="triangle-alert">
      <p>{fault}</p>
    </Note>
  );
}

type PagerProps = {
  readonly action: string;
  /** The list's filters, which further pages keep. */
  readonly query?: Readonly<Record<string, string>>;
  /** The id of the last object shown; null on the last page. */
  readonly next: string | null;
  readonly isFirst: boolean;
  readonly shown: number;
  /** False for a list by names: further objects are no older ones. */
  readonly isByTime?: boolean;
};

/** The way to older objects, and back to the newest ones. */
export function Pager({ action, query = {}, next, isFirst, shown, isByTime = true }: PagerProps) {
  const older = new URLSearchParams({ ...query, starting_after: next ?? '' });
  const newest = new URLSearchParams(query);
  return (
    <nav class="pager no-print" aria-label="Pages">
      <p>{isByTime ? `Newest first, ${shown} shown` : `${shown} shown`}</p>
      {!isFirst && (
        <a class="button" href={newest.size > 0 ? `${action}?${newest}` : action}>
          {isByTime ? 'Newest' : 'First'}
        </a>
      )}
      {next !== null && (
        <a class="button" href={`${action}?${older}`}>
          {isByTime ? 'Older' : 'Further'}
        </a>
      )}
    </nav>
  );
}

type Tab = { readonly text: string; readonly href: string; readonly isCurrent: boolean; readonly count?: number };

/** The pages of one object, or the kinds of one list. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs no-print" aria-label={label}>
      {tabs.map(({ text, href, isCurrent, count }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

type EmptyProps = {
  readonly icon: string;
  readonly title: string;
  readonly children?: ComponentChildren;
};

type NoOlderProps = {
  readonly icon: string;
  /** The objects of the list, such as `keys`. */
  readonly objects: string;
  readonly newest: string;
};

/** Stands in place of a page behind the last object of a list. */
export function NoOlder({ icon, objects, newest }: NoOlderProps) {
  return (
    <Empty icon={icon} title={`No older ${objects}`}>
      <a href={newest}>The newest ones</a>
    </Empty>
  );
}

/** Stands in place of a list without objects: the first step where there was none ever, or the way out of a filter. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="title">{title}</p>
      {children}
    </div>
  );
}
