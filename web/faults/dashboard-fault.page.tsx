import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import type { Mode } from '../../src/vocabulary/modes';
import { Icon } from '../parts/icon';
import { Page } from '../parts/page';
import { usePage } from '../parts/page-context';

const SERVER_FAULT = 500;
type Words = { readonly title: string; readonly sentence: string };

const MISSING: Words = {
  title: 'There is no such page',
  sentence: 'The address is wrong, or what it shows is not yours.',
};
const WORDS: Readonly<Record<number, Words>> = {
  403: { title: 'This is not for your role', sentence: 'An owner of the account can give you another role.' },
  404: MISSING,
  429: { title: 'Too many requests', sentence: 'Wait a moment, then load the page again.' },
};
/** Words for a code, where those for its status say something else. */
const WORDS_OF_CODES: Partial<Readonly<Record<ErrorCode, Words>>> = {
  invalid_cursor: { title: 'This part of the list is not there', sentence: 'Open the list again, from its newest.' },
  invalid_filter: { title: 'There is no such filter', sentence: 'Open the list again, and filter it anew.' },
  merchant_closed: { title: 'This account is closed', sentence: 'You can read it, and nothing new can be made.' },
  request_too_large: { title: 'This is too large', sentence: 'Go back, and choose a file of 10 MB at most.' },
};
const OURS: Words = {
  title: 'This page cannot be shown now',
  sentence: 'Try again in a moment. No payment is affected.',
};
const OTHER: Words = {
  title: 'This could not be done',
  sentence: 'Go back, load the page again, and repeat the step.',
};

type DashboardFaultPageProps = { readonly code: ErrorCode; readonly mode: Mode | null };

/**
 * A refusal as a page of the dashboard. The page tells nothing of its reader: another merchant's object, and one that
 * never existed, give the same bytes.
 */
export function DashboardFaultPage({ code, mode }: DashboardFaultPageProps) {
  const { root } = usePage();
  const { title, sentence } = wordsOf(code);
  const home = mode === null ? `${root}/dashboard` : `${root}/dashboard/${mode}`;
  const bar = (
    <>
      {mode === 'test' && (
        <aside class="mode-bar" aria-label="Mode">
          Test mode: no real money moves
        </aside>
      )}
      <header class="entry-bar">
        <a class="product" href={home}>
          <Icon name="receipt-text" />
          Quittance
        </a>
      </header>
    </>
  );
  return (
    <Page title={`${title} – Quittance`} style="console.css" script={null} version={null} events={null} before={bar}>
      <div class="entry">
        <section class="card" aria-labelledby="title">
          <h1 id="title">{title}</h1>
          <p>{sentence}</p>
          <p>
            <a href={home}>To the dashboard</a>
          </p>
        </section>
      </div>
    </Page>
  );
}

function wordsOf(code: ErrorCode): Words {
  const { status } = ERROR_CATALOGUE[code];
  return WORDS_OF_CODES[code] ?? WORDS[status] ?? (status >= SERVER_FAULT ? OURS : OTHER);
}
