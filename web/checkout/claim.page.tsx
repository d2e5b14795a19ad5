import { parseIsoTime } from '../../src/kernel/clock';
import { Hash } from '../parts/address';
import { Fact } from '../parts/facts';
import { Icon } from '../parts/icon';
import { keepingLanguage, usePage } from '../parts/page-context';
import { CardPage } from './screens/card-page';
import { shopArguments } from './screens/shop';
import type { CheckoutClaim, CheckoutView } from '../../src/modules/checkout/queries/checkout-view';

type ShownClaim = Pick<CheckoutClaim, 'id' | 'reference' | 'status' | 'created'>;

const SIGNS: Readonly<Record<ShownClaim['status'], readonly [tone: string, icon: string]>> = {
  pending: ['info', 'search'],
  in_review: ['info', 'clock'],
  attributed: ['ok', 'check'],
  refused: ['review', 'circle-alert'],
};

type ClaimProps = { readonly view: CheckoutView; readonly claim: ShownClaim; readonly path: string };

/** How a transaction stands that a customer has named. */
export function ClaimPage({ view, claim, path }: ClaimProps) {
  const page = usePage();
  const { language } = page;
  const title = language.say('claim.title');
  const [tone, icon] = SIGNS[claim.status];
  return (
    <CardPage view={view} title={language.say('checkout.document_title', { title, shop: view.shop.name })}>
      <header class="heading">
        <span class={`sign ${tone}`}>
          <Icon name={icon} />
        </span>
        <h1 id="title">{title}</h1>
        <p>{language.say(`claim.${claim.status}`, shopArguments(view))}</p>
      </header>
      <dl class="facts">
        <Fact term="claim.reference">
          <Hash hash={claim.id} />
        </Fact>
        <Fact term="claim.named">
          <Hash hash={claim.reference} />
        </Fact>
        <Fact term="claim.filed">{language.moment(parseIsoTime(claim.created))}</Fact>
      </dl>
      <p class="hint">{language.say('claim.reference_hint')}</p>
      <a class="button wide" href={keepingLanguage(page, path)}>
        {language.say('claim.back')}
      </a>
    </CardPage>
  );
}
