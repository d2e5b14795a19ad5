import { isolated } from '../../parts/isolate';
import { keepingLanguage, usePage } from '../../parts/page-context';
import type { CheckoutView } from '../../../src/modules/checkout/queries/checkout-view';

/** The shop's sign and name. */
export function Shop({ view }: { readonly view: Pick<CheckoutView, 'shop'> }) {
  const { root } = usePage();
  const { name, logo } = view.shop;
  return (
    <div class="shop">
      {logo === null ? (
        <span class="mark" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
      ) : (
        <img class="mark" src={`${root}/checkout/brand/${logo}`} alt="" width="40" height="40" />
      )}
      <strong>
        <bdi>{name}</bdi>
      </strong>
    </div>
  );
}

export function ModeBar({ view }: { readonly view: Pick<CheckoutView, 'mode'> }) {
  const { language } = usePage();
  if (view.mode !== 'test') return null;
  return (
    <aside class="mode-bar" aria-label={language.say('page.test_mode')}>
      {language.say('page.test_mode')}
    </aside>
  );
}

/** The shop's own accent, where it can be read on every ground. */
export function useBrandStyles({ shop }: Pick<CheckoutView, 'shop'>): readonly string[] {
  const { root } = usePage();
  return shop.color === null ? [] : [`${root}/checkout/brand/${shop.color.slice(1)}.css`];
}

export function shopArguments({ shop }: Pick<CheckoutView, 'shop'>) {
  return { shop: isolated(shop.name) };
}

/** The way to the invoice that the payment is for; nothing where there is none. */
export function InvoiceLink({ view, style }: { readonly view: CheckoutView; readonly style?: string }) {
  const page = usePage();
  const { invoice } = view.payment;
  if (invoice === null) return null;
  return (
    <a class={style} href={keepingLanguage(page, `${page.root}/invoices/${invoice}`)}>
      {page.language.say('checkout.see_invoice')}
    </a>
  );
}
