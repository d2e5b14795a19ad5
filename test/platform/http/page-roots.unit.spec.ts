import { checkoutRootOf, consoleRootOf, customersUrlOf, dashboardRootOf } from '../../../src/platform/http/page-roots';

const publicUrl = 'https://pay.example';

it.each([
  [publicUrl, 'https://pay.example/dashboard', ''],
  [publicUrl, 'https://shop.example/pay/dashboard', '/pay'],
  ['https://example.com/pay/', 'https://shop.example', '/pay'],
  [publicUrl, 'https://shop.example/my-dashboards', ''],
])('the root of the dashboard at %s and %s is “%s”', (ofService, dashboardUrl, root) => {
  expect(dashboardRootOf({ dashboardUrl, publicUrl: ofService })).toBe(root);
});

it.each([
  ['https://pay.example/console', ''],
  ['https://inside.example/pay/console', '/pay'],
  ['https://inside.example/pay', ''],
])('the root of the console at %s is “%s”', (consoleUrl, root) => {
  expect(consoleRootOf({ consoleUrl, publicUrl })).toBe(root);
});

it.each([
  [publicUrl, 'https://pay.example/checkout', '', 'https://pay.example/pay'],
  [publicUrl, 'https://shop.example/eu/checkout', '/eu', 'https://shop.example/eu/pay'],
  // Pages that this service does not serve: the shop has its own checkout, and the links lead to the service.
  ['https://example.com/pay/', 'https://shop.example/till', '/pay', 'https://example.com/pay/pay'],
])('the links of customers at %s and %s', (ofService, checkoutUrl, root, links) => {
  const urls = { checkoutUrl, publicUrl: ofService };
  expect(checkoutRootOf(urls)).toBe(root);
  expect(customersUrlOf(urls, 'pay')).toBe(links);
});
