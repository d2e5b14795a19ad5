import { parseIsoTime } from '../../src/kernel/clock';
import { Hash } from '../parts/address';
import { Fact } from '../parts/facts';
import { Icon } from '../parts/icon';
import { keepingLanguage, usePage } from '../parts/page-context';
import { CardPage } from './screens/card-page';
import { shopArguments } from './screens/shop';
import type { CheckoutNaming, CheckoutView } from '../../src/modules/checkout/queries/checkout-view';

type ShownNaming = Pick<CheckoutNaming, 'id' | 'reference' | 'status' | 'created'>;

const SIGNS: Readonly<Record<ShownNaming['status'], readonly [tone: string, icon: string]>> = {
  pending: ['info', 'search'],
  in_review: ['info', 'clock'],
  attributed: ['ok', 'check'],
  refused: ['review', 'circle-alert'],
};

type NamingProps = { readonly view: CheckoutView; readonly naming: ShownNaming; readonly path: string };

/** How a transaction stands that a customer has named. */
export function NamingPage({ view, naming, path }: NamingProps) {
  const page = usePage();
  const { language } = page;
  const title = language.say('naming.title');
  const [tone, icon] = SIGNS[naming.status];
  return (
    <CardPage view={view} title={language.say('checkout.document_title', { title, shop: view.shop.name })}>
      <header class="heading">
        <span class={`sign ${tone}`}>
          <Icon name={icon} />
        </span>
        <h1 id="title">{title}</h1>
        <p>{language.say(`naming.${naming.status}`, shopArguments(view))}</p>
      </header>
      <dl class="facts">
        <Fact term="naming.reference">
          <Hash hash={naming.id} />
        </Fact>
        <Fact term="naming.named">
          <Hash hash={naming.reference} />
        </Fact>
        <Fact term="naming.filed">{language.moment(parseIsoTime(naming.created))}</Fact>
      </dl>
      <p class="hint">{language.say('naming.reference_hint')}</p>
      <a class="button wide" href={keepingLanguage(page, path)}>
        {language.say('naming.back')}
      </a>
    </CardPage>
  );
}
