import type { QueryBus } from '@nestjs/cqrs';
import { CheckoutPages } from '../../web/checkout/checkout-pages';
import type { CustomerPages, CustomerRequest } from '../../web/http/customer-pages';

const asked = { id: 'pi_1' } as CustomerRequest;

/** Pages whose payment has these terms, with the names of the queries that they ask. */
function pagesOf(terms: object | null) {
  const queried: string[] = [];
  const listened: unknown[] = [];
  const execute = (query: object) => {
    queried.push(query.constructor.name);
    return Promise.resolve(terms);
  };
  const customers = { listen: (...listening: unknown[]) => listened.push(...listening) } as unknown as CustomerPages;
  return { pages: new CheckoutPages({ execute } as unknown as QueryBus, customers), queried, listened };
}

test('the stream of a page is opened without a reading of all that the page shows', async () => {
  const { pages, queried, listened } = pagesOf({ nowMs: 0 });
  await pages.listen(asked);
  expect(queried).toStrictEqual(['GetCheckoutTerms']);
  expect(listened).toStrictEqual([asked, expect.any(Function)]);
});

test('an unknown payment has no stream', async () => {
  const { pages, listened } = pagesOf(null);
  await expect(pages.listen(asked)).rejects.toMatchObject({ code: 'payment_not_found' });
  expect(listened).toStrictEqual([]);
});
