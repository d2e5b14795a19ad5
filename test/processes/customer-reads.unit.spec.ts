import { CustomerReads } from '../../src/processes/customer-reads';

it('take a merchant who is missing for a fault of the service, not for the customer', async () => {
  const reads = new CustomerReads({
    modes: ['test'],
    readModels: { get: () => Promise.resolve(null), stored: () => Promise.resolve(null) },
    access: { read: asked => Promise.resolve(asked.map(() => null) as never) },
    logos: { digestOf: () => Promise.resolve(null) },
    clock: { now: () => 0 },
  });
  const shop = reads.shop('test', 'mch_1');
  await expect(shop).rejects.toThrow("the merchant of a customer's document is known");
  await expect(shop).rejects.not.toHaveProperty('code');
});
