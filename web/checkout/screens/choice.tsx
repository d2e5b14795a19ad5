import type { ErrorCode } from '../../../src/vocabulary/errors';
import { Form } from '../../parts/form';
import { isolated } from '../../parts/isolate';
import { Icon } from '../../parts/icon';
import { FaultNote, Note } from '../../parts/note';
import { keepingLanguage, usePage } from '../../parts/page-context';
import type { MessageKey } from '../../words/language';
import type { CheckoutProps } from './checkout-props';
import type { CheckoutView, Offer } from '../../../src/modules/checkout/queries/checkout-view';

const REASONS: Partial<Record<ErrorCode, MessageKey>> = {
  token_not_enabled: 'unavailable.token_not_enabled',
  token_disabled: 'unavailable.token_disabled',
  insufficient_rate_sources: 'unavailable.rates',
  rate_divergence: 'unavailable.rates',
  currency_not_quotable: 'unavailable.rates',
  unsupported_network: 'unavailable.network',
  provider_unavailable: 'unavailable.network',
  wallet_not_verified: 'unavailable.wallet',
  wallet_not_found: 'unavailable.wallet',
  no_route_configured: 'unavailable.wallet',
  amount_too_small: 'unavailable.amount_too_small',
};

/** The choice of token and network, with what cannot be chosen and why. */
export function Choice({ view, formId, path, fault }: CheckoutProps) {
  const page = usePage();
  const { language } = page;
  const shop = isolated(view.shop.name);
  const open = view.offers.filter(({ unavailable }) => unavailable === null);
  return (
    <>
      {fault?.form === 'method' && <FaultNote text={fault.text} />}
      {open.length === 0 ? (
        <>
          <Note tone="warn" icon="triangle-alert">
            <p>{language.say('created.none', { shop })}</p>
          </Note>
          <OfferLines view={view} isOnly={false} />
          <a class="button wide" href={keepingLanguage(page, path)}>
            {language.say('page.look_again')}
          </a>
        </>
      ) : (
        <Form action={keepingLanguage(page, `${path}/method`)} formId={formId} class="choice">
          <fieldset>
            <legend class="sr">{language.say('created.legend')}</legend>
            <OfferLines view={view} isOnly={open.length === 1} />
          </fieldset>
          <Note tone="warn" icon="triangle-alert">
            <p>{language.say('created.warning', { shop })}</p>
            <p>{language.say('created.final')}</p>
          </Note>
          <button class="button main wide" type="submit">
            {language.say('created.submit')}
          </button>
        </Form>
      )}
    </>
  );
}

function OfferLines({ view, isOnly }: { readonly view: CheckoutView; readonly isOnly: boolean }) {
  const shop = isolated(view.shop.name);
  if (view.offers.length === 0) return null;
  return (
    <ul class="offers">
      {view.offers.map(offer => (
        <li key={offer.tokenId}>
          <OfferLine offer={offer} isOnly={isOnly} shop={shop} />
        </li>
      ))}
    </ul>
  );
}

type OfferProps = { readonly offer: Offer; readonly isOnly: boolean; readonly shop: string };

function OfferLine({ offer, isOnly, shop }: OfferProps) {
  const { language } = usePage();
  const { asset, networkName: network, tokenAmount: amount, unavailable } = offer;
  const coin = <span class={`coin ${asset.toLowerCase()}`} aria-hidden="true" />;
  const name = (
    <span>
      <strong>{asset}</strong> {language.say('awaiting.on_network', { network: isolated(network) })}
    </span>
  );
  if (unavailable !== null) {
    const reason = language.say(REASONS[unavailable] ?? 'unavailable.other', { shop });
    return (
      <div class="offer unavailable">
        <Icon name="ban" />
        {coin}
        <span class="offer-text">
          {name} <span class="hint">{language.say('created.unavailable', { reason })}</span>
        </span>
      </div>
    );
  }
  return (
    <label class="offer">
      <input
        type="radio"
        name="token_id"
        id={`offer-${offer.tokenId}`}
        value={offer.tokenId}
        required
        checked={isOnly}
      />
      {coin}
      <span class="offer-text">
        {name}{' '}
        {amount !== null && (
          <span class="hint">{language.say('created.about', { amount: isolated(amount), asset })}</span>
        )}
      </span>
    </label>
  );
}
