import type { ErrorCode } from '../../src/vocabulary/error-catalogue';
import { OperatorBar } from '../parts/console-page';
import { ADMIN_PAGES } from '../parts/page-realm';
import { usePage } from '../parts/page-context';
import { PeopleFault, wordsOf, type OwnWords } from '../parts/people-fault';

const WORDS: OwnWords = {
  ofCodes: {},
  ofStatus: {
    403: { title: 'This is not for your role', sentence: 'An owner can give you another role.' },
    404: { title: 'There is no such page', sentence: 'The address is wrong, or there is no such object.' },
  },
};

/** A refusal as a page of the console. The page tells nothing of its reader. */
export function ConsoleFaultPage({ code }: { readonly code: ErrorCode }) {
  const { root } = usePage();
  const home = { href: `${root}${ADMIN_PAGES.place}`, text: 'To the console' };
  return <PeopleFault realm={ADMIN_PAGES} words={wordsOf(code, WORDS)} home={home} bar={<OperatorBar />} />;
}
