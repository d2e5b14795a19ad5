import type { Config } from '../platform/config/config';

type Urls = Pick<Config, 'checkoutUrl' | 'publicUrl'>;

const CHECKOUT_END = /\/checkout$/;

/** The address before the paths of customers' pages, such as `/pay/{plink}` and `/invoices/{inv}`. */
export function customersUrlOf(config: Urls): string {
  const { checkoutUrl, publicUrl } = config;
  const { origin } = new URL(CHECKOUT_END.test(new URL(checkoutUrl).pathname) ? checkoutUrl : publicUrl);
  return `${origin}${checkoutRootOf(config)}`;
}

/** The path before `/checkout`, where CHECKOUT_URL leads to these pages; otherwise that of PUBLIC_URL. */
export function checkoutRootOf({ checkoutUrl, publicUrl }: Urls): string {
  const { pathname } = new URL(checkoutUrl);
  return CHECKOUT_END.test(pathname)
    ? pathname.replace(CHECKOUT_END, '')
    : new URL(publicUrl).pathname.replace(/\/$/, '');
}
