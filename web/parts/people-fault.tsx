import type { ComponentChildren } from 'preact';
import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { Icon } from './icon';
import { Page } from './page';
import type { PageRealm } from './page-realm';

const SERVER_FAULT = 500;
type Words = { readonly title: string; readonly sentence: string };

const OURS: Words = {
  title: 'This page cannot be shown now',
  sentence: 'Try again in a moment. No payment is affected.',
};
const OTHER: Words = {
  title: 'This could not be done',
  sentence: 'Go back, load the page again, and repeat the step.',
};
const OF_STATUS: Readonly<Record<number, Words>> = {
  429: { title: 'Too many requests', sentence: 'Wait a moment, then load the page again.' },
};
/** Words for a code, where those for its status say something else. */
const OF_CODES: Partial<Readonly<Record<ErrorCode, Words>>> = {
  invalid_cursor: { title: 'This part of the list is not there', sentence: 'Open the list again, from its newest.' },
  invalid_filter: { title: 'There is no such filter', sentence: 'Open the list again, and filter it anew.' },
};

/** The words of a realm's own pages, by the codes and the statuses of refusals. */
export type OwnWords = {
  readonly ofCodes: Partial<Readonly<Record<ErrorCode, Words>>>;
  readonly ofStatus: Readonly<Record<number, Words>>;
};

type PeopleFaultProps = {
  readonly realm: PageRealm;
  readonly words: Words;
  readonly home: { readonly href: string; readonly text: string };
  /** Stands above the product's name. */
  readonly bar: ComponentChildren;
};

/** A refusal as a page for people who sign in. */
export function PeopleFault({ realm, words: { title, sentence }, home, bar }: PeopleFaultProps) {
  const above = (
    <>
      {bar}
      <header class="entry-bar">
        <a class="product" href={home.href}>
          <Icon name={realm.icon} />
          {realm.product}
        </a>
      </header>
    </>
  );
  return (
    <Page
      title={`${title} – ${realm.product}`}
      style={realm.style}
      script={null}
      version={null}
      events={null}
      before={above}
    >
      <div class="entry">
        <section class="card" aria-labelledby="title">
          <h1 id="title">{title}</h1>
          <p>{sentence}</p>
          <p>
            <a href={home.href}>{home.text}</a>
          </p>
        </section>
      </div>
    </Page>
  );
}

export function wordsOf(code: ErrorCode, { ofCodes, ofStatus }: OwnWords): Words {
  const { status } = ERROR_CATALOGUE[code];
  const own = ofCodes[code] ?? OF_CODES[code] ?? ofStatus[status] ?? OF_STATUS[status];
  return own ?? (status >= SERVER_FAULT ? OURS : OTHER);
}
