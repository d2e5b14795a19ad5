import type { Config } from '../config/config';
import type { CustomerPlace } from './page-hosts';

const CHECKOUT_END = /\/checkout$/;

/** The path before `/dashboard`, where DASHBOARD_URL leads to these pages; otherwise that of PUBLIC_URL. */
export function dashboardRootOf({ dashboardUrl, publicUrl }: Pick<Config, 'dashboardUrl' | 'publicUrl'>): string {
  return rootBefore('/dashboard', dashboardUrl, publicUrl);
}

/** The path before `/console`, where CONSOLE_URL leads to these pages; otherwise that of PUBLIC_URL. */
export function consoleRootOf({ consoleUrl, publicUrl }: Pick<Config, 'consoleUrl' | 'publicUrl'>): string {
  return rootBefore('/console', consoleUrl, publicUrl);
}

function rootBefore(place: string, url: string, publicUrl: string): string {
  const { pathname } = new URL(url);
  const root = pathname.endsWith(place) ? pathname.slice(0, -place.length) : new URL(publicUrl).pathname;
  return root.replace(/\/$/, '');
}

type Urls = Pick<Config, 'checkoutUrl' | 'publicUrl'>;

/** The address of customers' pages of one kind, such as `https://pay.example/invoices`. */
export function customersUrlOf(config: Urls, place: CustomerPlace): string {
  const { checkoutUrl, publicUrl } = config;
  const { origin } = new URL(CHECKOUT_END.test(new URL(checkoutUrl).pathname) ? checkoutUrl : publicUrl);
  return `${origin}${checkoutRootOf(config)}/${place}`;
}

/** The path before `/checkout`, where CHECKOUT_URL leads to these pages; otherwise that of PUBLIC_URL. */
export function checkoutRootOf({ checkoutUrl, publicUrl }: Urls): string {
  const { pathname } = new URL(checkoutUrl);
  return CHECKOUT_END.test(pathname)
    ? pathname.replace(CHECKOUT_END, '')
    : new URL(publicUrl).pathname.replace(/\/$/, '');
}
