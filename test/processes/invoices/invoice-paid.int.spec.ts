import { invoices } from '../../../src/modules/invoices/invoice.decider';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { PaymentFixture } from '../../support/payment-fixture';
import { InvoiceProcess } from './invoice-stage';

const HASH = `0x${'11'.repeat(32)}`;
const OTHER_HASH = `0x${'22'.repeat(32)}`;

/** An invoice whose payment asks for an amount on the chain. */
async function issued() {
  const fixture = new PaymentFixture();
  fixture.mineEmpty(20);
  const watcher = await fixture.watcher();
  await watcher.tick();
  const process = new InvoiceProcess(fixture.store, fixture.clock);
  const id = await process.draft(fixture.context());
  const paymentIntent = await process.issue(id, fixture.context());
  await fixture.select(paymentIntent);
  const quoted = await fixture.payment(paymentIntent);
  if (quoted.status !== 'awaiting_payment') throw new Error('no quote');
  return { fixture, watcher, process, id, paymentIntent, due: BigInt(quoted.quote.due_base_units) };
}

it('is paid as of the moment at which its payment was confirmed, once', async () => {
  const { fixture, watcher, process, id, paymentIntent, due } = await issued();
  fixture.chain.mine(fixture.transfer(HASH, due));
  await watcher.tick();
  await process.catchUp();
  expect((await process.writes.load(invoices, 'test', id)).state.status).toBe('open');
  // Money is under way: nothing can be voided, and no other payment is made.
  const refused = { code: 'invalid_state_transition' };
  const merchant = { ...fixture.context(), actor: { role: 'merchant', type: 'user', id: 'usr_1' } } as const;
  await expect(process.payments.void(id, merchant)).rejects.toMatchObject(refused);
  await expect(process.issue(id, fixture.context())).rejects.toMatchObject(refused);
  fixture.mineEmpty(NETWORKS.base.finality.test.standard.confirmations);
  await watcher.tick();
  expect((await fixture.payment(paymentIntent)).status).toBe('confirmed');
  // The group has not come to it yet, and the payment itself tells.
  await expect(process.issue(id, fixture.context())).rejects.toMatchObject({ code: 'payment_already_paid' });
  fixture.clock.timeMs += 60_000;
  await process.catchUp();
  await process.catchUp();
  const { state, history } = await process.writes.load(invoices, 'test', id);
  expect(state).toMatchObject({ status: 'paid', paidBy: paymentIntent, paidAgain: [] });
  const confirmed = (await fixture.events(paymentIntent)).find(({ type }) => type === 'PaymentConfirmed');
  expect(history.at(-1)).toMatchObject({
    type: 'InvoicePaid',
    metadata: {
      actor: { role: 'matcher', id: 'invoices' },
      occurred_at: confirmed?.metadata.occurred_at,
      causation_id: confirmed?.id,
    },
  });
  await expect(process.issue(id, fixture.context())).rejects.toMatchObject({ code: 'payment_already_paid' });
  await expect(process.payments.void(id, merchant)).rejects.toMatchObject(refused);
});

it('is paid by a payment that got too much', async () => {
  const { fixture, watcher, process, id, paymentIntent, due } = await issued();
  fixture.chain.mine(fixture.transfer(HASH, due), fixture.transfer(OTHER_HASH, due));
  fixture.mineEmpty(NETWORKS.base.finality.test.standard.confirmations);
  await watcher.tick();
  expect((await fixture.payment(paymentIntent)).status).toBe('overpaid');
  await process.catchUp();
  const { state } = await process.writes.load(invoices, 'test', id);
  expect(state).toMatchObject({ status: 'paid', paidBy: paymentIntent, paidAgain: [] });
});

it('passes over what people do, of which other parts of its group hear', async () => {
  const { fixture, process, paymentIntent } = await issued();
  const [event] = await fixture.events(paymentIntent);
  if (event === undefined) throw new Error('no event');
  const ofPeople = { ...event, stream: 'platform.user-usr_1', type: 'UserSignedUp' };
  await expect(process.group.handle({ event: ofPeople, retries: 0 })).resolves.toBeUndefined();
});
