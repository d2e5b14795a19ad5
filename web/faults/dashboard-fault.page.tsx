import type { ErrorCode } from '../../src/vocabulary/error-catalogue';
import type { Mode } from '../../src/vocabulary/modes';
import { MERCHANT_PAGES } from '../parts/page-realm';
import { usePage } from '../parts/page-context';
import { PeopleFault, wordsOf, type OwnWords } from '../parts/people-fault';

const WORDS: OwnWords = {
  ofCodes: {
    merchant_closed: { title: 'This account is closed', sentence: 'You can read it, and nothing new can be made.' },
    request_too_large: { title: 'This is too large', sentence: 'Go back, and choose a file of 10 MB at most.' },
  },
  ofStatus: {
    403: { title: 'This is not for your role', sentence: 'An owner of the account can give you another role.' },
    404: { title: 'There is no such page', sentence: 'The address is wrong, or what it shows is not yours.' },
  },
};

type DashboardFaultPageProps = { readonly code: ErrorCode; readonly mode: Mode | null };

/**
 * A refusal as a page of the dashboard. The page tells nothing of its reader: another merchant's object, and one that
 * never existed, give the same bytes.
 */
export function DashboardFaultPage({ code, mode }: DashboardFaultPageProps) {
  const { root } = usePage();
  const place = `${root}${MERCHANT_PAGES.place}`;
  const home = { href: mode === null ? place : `${place}/${mode}`, text: 'To the dashboard' };
  const bar = mode === 'test' && (
    <aside class="mode-bar" aria-label="Mode">
      Test mode: no real money moves
    </aside>
  );
  return <PeopleFault realm={MERCHANT_PAGES} words={wordsOf(code, WORDS)} home={home} bar={bar} />;
}
