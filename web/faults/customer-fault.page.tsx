import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { Icon } from '../parts/icon';
import { Page } from '../parts/page';
import { usePage } from '../parts/page-context';
import type { MessageKey } from '../words/language';

const SERVER_FAULT = 500;
const WORDS: Readonly<Record<'missing' | 'busy' | 'fault' | 'other', readonly [MessageKey, MessageKey]>> = {
  missing: ['problem.missing.title', 'problem.missing.sentence'],
  busy: ['problem.busy.title', 'problem.busy.sentence'],
  fault: ['problem.fault.title', 'problem.fault.sentence'],
  other: ['problem.other.title', 'problem.other.sentence'],
};

/** A refusal as a page for customers: what to do now, and no word of the inside. */
export function CustomerFaultPage({ code }: { readonly code: ErrorCode }) {
  const { language } = usePage();
  const [title, sentence] = WORDS[kindOf(ERROR_CATALOGUE[code].status)];
  return (
    <Page title={language.say(title)} style="checkout.css" script={null} version={null} events={null}>
      <div class="checkout single">
        <section class="card" aria-labelledby="title">
          <div class="heading">
            <span class="sign">
              <Icon name="circle-alert" />
            </span>
            <h1 id="title">{language.say(title)}</h1>
            <p>{language.say(sentence)}</p>
          </div>
        </section>
      </div>
    </Page>
  );
}

function kindOf(status: number): keyof typeof WORDS {
  if (status === 404) return 'missing';
  if (status === 429) return 'busy';
  return status >= SERVER_FAULT ? 'fault' : 'other';
}
