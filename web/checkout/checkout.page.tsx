import { Icon } from '../parts/icon';
import { FaultNote } from '../parts/note';
import { LookAgain, NotCurrent } from '../parts/newest';
import { Page } from '../parts/page';
import { usePage } from '../parts/page-context';
import { sentenceArguments, type CheckoutProps, type FormFault } from './screens/checkout-props';
import { screenOf, type Screen } from './screens/checkout-screen';
import { NamingForm, NamingsUnderSearch } from './screens/naming-form';
import { Order, Summary } from './screens/order';
import { ScreenBody } from './screens/screen-body';
import { ModeBar, useBrandStyles } from './screens/shop';
import type { CheckoutView } from '../../src/modules/checkout/queries/checkout-view';

/** The tone of each screen's sign. */
const TONES: Readonly<Record<Screen, readonly [tone: string, icon: string] | null>> = {
  created: null,
  awaiting: null,
  detected: ['info', 'eye'],
  confirming: ['info', 'clock'],
  confirmed: ['ok', 'check'],
  overpaid: ['ok', 'check'],
  underpaid: ['review', 'circle-alert'],
  underpaid_inferred: ['info', 'clock'],
  underpaid_stopped: ['review', 'circle-alert'],
  rejected: ['bad', 'circle-alert'],
  held: ['info', 'clock'],
  expired: ['idle', 'clock'],
  paid_late: ['review', 'clock'],
  canceled: ['idle', 'ban'],
  failed: ['bad', 'circle-alert'],
};
/** The screens on which somebody may have paid what the page does not know of. */
const NAMABLE: readonly Screen[] = ['awaiting', 'underpaid', 'expired'];

/** The screens that have each form, and tell beside it why it was refused. A payment may have left them meanwhile. */
const FORM_SCREENS: Readonly<Record<FormFault['form'], readonly Screen[]>> = {
  method: ['created'],
  claim: NAMABLE,
  restart: ['expired', 'failed'],
};

/** The screens on which a customer waits for a change. Without script, a link looks for it. */
const CHANGING: readonly Screen[] = ['awaiting', 'underpaid', 'detected', 'confirming', 'held', 'underpaid_inferred'];

/** The page of one payment: one screen and one sentence for each state. */
export function CheckoutPage(props: CheckoutProps & { readonly version: string }) {
  const { view, path, fault, version } = props;
  const page = usePage();
  const { language } = page;
  const screen = screenOf(view);
  const title = titleOf(screen, props.view, page);
  return (
    <Page
      title={language.say('checkout.document_title', { title, shop: view.shop.name })}
      style="checkout.css"
      script="checkout.js"
      ownStyles={useBrandStyles(view)}
      version={version}
      events={`${path}/events`}
      before={<ModeBar view={view} />}
      after={<NotCurrent path={path} />}
    >
      <div class="checkout">
        <Summary view={view} />
        <section class="card" aria-labelledby="title">
          <div id="screen" class={`screen ${screen}`} data-live data-said={title}>
            <Heading screen={screen} view={view} title={title} />
            {fault && !FORM_SCREENS[fault.form].includes(screen) && <FaultNote text={fault.text} />}
            <ScreenBody screen={screen} {...props} />
          </div>
          {CHANGING.includes(screen) && <LookAgain path={path} />}
          <div id="claim" data-live>
            {NAMABLE.includes(screen) && (
              <>
                <NamingsUnderSearch {...props} />
                <NamingForm {...props} />
              </>
            )}
          </div>
        </section>
        <Order view={view} screen={screen} />
      </div>
    </Page>
  );
}

function titleOf(screen: Screen, view: CheckoutView, { language }: ReturnType<typeof usePage>): string {
  const isChoiceless = screen === 'created' && !hasChoice(view);
  return language.say(isChoiceless ? 'created.none_title' : `${screen}.title`);
}

function hasChoice({ offers }: CheckoutView): boolean {
  return offers.some(({ unavailable }) => unavailable === null);
}

function Heading({ screen, view, title }: { screen: Screen; view: CheckoutView; title: string }) {
  const { language } = usePage();
  const tone = TONES[screen];
  // The sentence of a payable screen stands beside the amount, and a price is only fixed by a choice.
  const isPlain = screen !== 'awaiting' && (screen !== 'created' || hasChoice(view));
  return (
    <header class="heading">
      {tone && (
        <span class={`sign ${tone[0]}`}>
          <Icon name={tone[1]} />
        </span>
      )}
      <h1 id="title">{title}</h1>
      {isPlain && <p>{language.say(`${screen}.sentence`, sentenceArguments(view))}</p>}
    </header>
  );
}
