import { pageHosts } from '../../../src/platform/http/page-hosts';

const publicUrl = 'https://pay.example';
const apart = pageHosts({
  publicUrl,
  checkoutUrl: 'https://Checkout.Pay.example:8443/checkout',
  dashboardUrl: 'https://dash.example/dashboard',
  consoleUrl: 'https://ops.example/console',
});
const together = pageHosts({
  publicUrl,
  checkoutUrl: `${publicUrl}/checkout`,
  dashboardUrl: `${publicUrl}/dashboard`,
  consoleUrl: `${publicUrl}/console`,
});

it.each([
  ['checkout.pay.example', ['/checkout/pi_1', '/pay/plink_1', '/invoices/inv_1']],
  ['CHECKOUT.pay.example.:443', ['/checkout/pi_1', '/pay/plink_1', '/invoices/inv_1']],
  ['dash.example', ['/dashboard/requests/req_1']],
  ['ops.example', ['/console', '/admin/session']],
  ['pay.example', ['/v1/routes', '/openapi.json']],
  ['sandbox.pay.example', ['/v1/routes', '/openapi.json']],
  ['127.0.0.1:8080', ['/v1/routes', '/openapi.json']],
  [undefined, ['/v1/routes', '/openapi.json']],
])('serves at %s only %j of what has hosts of its own', (host, served) => {
  const paths = ['/checkout/pi_1', '/pay/plink_1', '/invoices/inv_1', '/dashboard/requests/req_1', '/console', '/admin/session', '/v1/routes', '/openapi.json']; // prettier-ignore
  expect(paths.filter(path => apart(host, path))).toEqual(served);
});

it.each(['/assets/checkout-1.css', '/healthz', '/docs/errors', '/', '/checkouts', '/v10'])(
  'serves %s at every host',
  path => {
    for (const host of ['checkout.pay.example', 'dash.example', 'pay.example', 'other.example', '', undefined])
      expect(apart(host, path)).toBe(true);
  },
);

it.each(['/checkout/pi_1', '/dashboard', '/console', '/admin/session', '/v1/routes'])(
  'serves %s at every host where the service has but one',
  path => {
    for (const host of ['pay.example', '127.0.0.1', 'a b', undefined]) expect(together(host, path)).toBe(true);
  },
);
