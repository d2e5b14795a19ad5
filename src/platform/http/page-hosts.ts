import { hostNameOf } from './host-name';

type PageUrls = {
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly consoleUrl: string;
};

/** Whether the host that a request names in its header Host serves the route's path, such as `/checkout/:id`. */
export type HostCheck = (host: string | undefined, path: string) => boolean;

/** The first part of the path of a customer's page. */
export type CustomerPlace = 'checkout' | 'pay' | 'invoices';
/** The paths of all customers' pages, with or without a query. */
export const CUSTOMER_PATHS = /^\/(?:checkout|pay|invoices)(?:[/?]|$)/;

/** Paths that have a host of their own. Every host serves the others, such as files of pages and the documentation. */
const PLACES = {
  checkoutUrl: CUSTOMER_PATHS,
  dashboardUrl: /^\/dashboard(?:\/|$)/,
  consoleUrl: /^\/(?:console|admin)(?:\/|$)/,
  publicUrl: /^\/(?:v1|openapi\.json)(?:\/|$)/,
} as const;
const NAMES = ['checkoutUrl', 'dashboardUrl', 'consoleUrl', 'publicUrl'] as const;

/**
 * Pages whose URL names another host than the service's are served there alone, and nothing else of PLACES is served
 * there. So a script in a page of one host reaches no page of the others.
 */
export function pageHosts(urls: PageUrls): HostCheck {
  const nameOf = (name: keyof PageUrls): string => hostNameOf(new URL(urls[name]).host) as string;
  const service = nameOf('publicUrl');
  const ownHosts = new Set(NAMES.map(nameOf).filter(name => name !== service));
  return (host, path) => {
    const place = NAMES.find(name => PLACES[name].test(path));
    if (place === undefined) return true;
    const asked = host === undefined ? null : hostNameOf(host);
    const home = nameOf(place);
    return home === service ? asked === null || !ownHosts.has(asked) : asked === home;
  };
}
