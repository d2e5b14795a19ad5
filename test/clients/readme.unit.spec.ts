import { readFileSync } from 'node:fs';
import path from 'node:path';

const readme = readFileSync(path.join(__dirname, '../../clients/typescript/README.md'), 'utf8');

it('begins with a payment that the customer can pay today: an amount and an address', () => {
  const [example = ''] = /```ts\n[^]*?```/.exec(readme) ?? [];
  for (const part of ['paymentIntents.create', 'selectMethod', 'token_amount', 'address'])
    expect(example).toContain(part);
  expect(example).not.toContain('checkout_url');
});

it('says what checkout_url is', () => {
  expect(readme).toMatch(/`checkout_url`: the page where your customer chooses a token and a network, pays/);
});
