import type { MerchantContext } from '../../../src/kernel/command-context';
import { invoices } from '../../../src/modules/invoices/invoice.decider';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { NETWORKS } from '../../../src/vocabulary/networks';
import { PaymentFixture } from '../../support/payment-fixture';
import { InvoiceProcess } from './invoice-stage';

const HASH = `0x${'11'.repeat(32)}`;
/** In blocks, of a second each. */
const QUOTE = 16 * 60;
const refused = { code: 'invalid_state_transition' };

let fixture: PaymentFixture;
let process: InvoiceProcess;
let id: string;
let first: string;
let tick: () => Promise<void>;

const issue = () => process.issue(id, fixture.context());
const statusOf = async (payment: string) => (await fixture.payment(payment)).status;
const merchant = (): MerchantContext => ({ ...fixture.context(), actor: { role: 'merchant', type: 'user', id: 'u' } });

/** The first payment of the invoice has expired, and another one was made. Then the first one's money comes. */
async function paidTooLate(): Promise<string> {
  fixture = new PaymentFixture();
  fixture.mineEmpty(20);
  const watcher = await fixture.watcher();
  tick = async () => void (await watcher.tick());
  await tick();
  process = new InvoiceProcess(fixture.store, fixture.clock);
  id = await process.draft(fixture.context());
  first = await issue();
  await fixture.select(first);
  const quoted = await fixture.payment(first);
  if (quoted.status !== 'awaiting_payment') throw new Error('no quote');
  fixture.mineEmpty(QUOTE);
  await tick();
  await fixture.sweeper().sweep('quote');
  expect(await statusOf(first)).toBe('expired');
  const second = await issue();
  fixture.chain.mine(fixture.transfer(HASH, BigInt(quoted.quote.due_base_units)));
  await tick();
  return second;
}

it('is money of the invoice: nothing is voided, and no third payment is made', async () => {
  const second = await paidTooLate();
  await expect(process.payments.void(id, merchant())).rejects.toMatchObject(refused);
  expect(await statusOf(second)).toBe('created');
  await process.writes.execute(paymentIntents, second, { type: 'cancel' }, merchant());
  await expect(issue()).rejects.toMatchObject(refused);
  await expect(process.payments.void(id, merchant())).rejects.toMatchObject(refused);
  fixture.mineEmpty(NETWORKS.base.finality.test.standard.confirmations);
  await tick();
  expect(await statusOf(first)).toBe('paid_late');
  await expect(issue()).rejects.toMatchObject(refused);
});

it('lets the invoice be paid anew, or voided, once the merchant has rejected it', async () => {
  const second = await paidTooLate();
  fixture.mineEmpty(NETWORKS.base.finality.test.standard.confirmations);
  await tick();
  const reject = { type: 'resolve', resolution: 'rejected', note: 'sent back', standing: [] } as const;
  await process.writes.execute(paymentIntents, first, reject, merchant());
  await process.writes.execute(paymentIntents, second, { type: 'cancel' }, merchant());
  const third = await issue();
  expect(await statusOf(third)).toBe('created');
  await process.payments.void(id, merchant());
  expect((await process.writes.load(invoices, 'test', id)).state.status).toBe('void');
  expect(await statusOf(third)).toBe('canceled');
});
