import type { MerchantContext } from '../../../src/kernel/command-context';
import type { LocalChain } from '../../../src/kernel/ports/local-chain';
import { quotedPayment } from '../../../src/modules/sandbox/quoted-payment';
import { SandboxCustomer } from '../../../src/sandbox/outcomes/sandbox-customer';
import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import { hash, pi } from '../../processes/matching/matching-fixture';
import { MERCHANT, PaymentFixture } from '../../support/payment-fixture';

const OTHER = 'mch_00000000000000000000000009';
const CALLS = 40;

let fixture: PaymentFixture;
let customer: SandboxCustomer;
/** The names of the transfers, in the order of their payment. */
let paid: string[];

beforeEach(async () => {
  fixture = new PaymentFixture({ mode: 'test' });
  await fixture.quoted(pi(1));
  await fixture.quoted(pi(2), '3000');
  const documents = await fixture.documents.open(paymentIntentsProjection);
  const other = await documents.get(pi(2));
  if (!other) throw new Error('there is no second payment');
  await documents.put({ ...other, version: other.version + 1, body: { ...other.body, merchant_id: OTHER } });
  paid = [];
  const nothing = () => Promise.resolve();
  const chain: LocalChain = {
    mine: nothing,
    takeBack: nothing,
    paid: () => Promise.resolve(null),
    pay: ({ name = '' }) => {
      paid.push(name);
      return Promise.resolve({ txHash: hash(paid.length), funding: hash(1_000 + paid.length) });
    },
  };
  const time = { passBlock: () => Promise.resolve(true), advance: nothing };
  const { readModels, clock } = fixture;
  customer = new SandboxCustomer({
    readModels,
    clock,
    time,
    chain,
    nameTransaction: nothing,
  });
});

async function send(merchantId: string, name: string): Promise<string> {
  const context: MerchantContext = { ...fixture.context(), merchantId, commandId: name };
  const order = {
    paymentIntent: merchantId === OTHER ? pi(2) : pi(1),
    outcome: 'exact',
    tokenAmount: null,
    namesTransaction: true,
  } as const;
  try {
    await customer.send(order, await quotedPayment(fixture.readModels, order.paymentIntent, context), context);
    return 'sent';
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}

describe('a merchant who asks for many transfers on a local chain at once', () => {
  it('is refused the most of them, and keeps no other merchant out', async () => {
    const many = Array.from({ length: CALLS }, (_, number) => send(MERCHANT, `own ${number}`));
    const other = send(OTHER, 'other');
    expect(await other).toBe('sent');
    const outcomes = await Promise.all(many);
    expect(outcomes.filter(each => each === 'sent')).toHaveLength(5);
    expect(outcomes.filter(each => each === 'rate_limit')).toHaveLength(CALLS - 5);
  });

  it('gives way to another one after each of them', async () => {
    const many = Array.from({ length: 5 }, (_, number) => send(MERCHANT, `own ${number}`));
    const others = Array.from({ length: 2 }, (_, number) => send(OTHER, `other ${number}`));
    await Promise.all([...many, ...others]);
    expect(paid).toStrictEqual(['own 0', 'own 1', 'other 0', 'own 2', 'other 1', 'own 3', 'own 4']);
  });
});
