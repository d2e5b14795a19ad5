import type { JsonObject } from '../../../src/vocabulary/json';
import { formatUnits } from '../../../src/vocabulary/money';
import { MERCHANT } from '../../support/payment-fixture';
import { PaymentsOverHttp } from '../../support/payments-over-http';
import { hash, MatchingFixture, pi } from '../../processes/matching/matching-fixture';

type Remaining = { readonly token_amount: string; readonly reserved_until: string; readonly pay_uri: string };

const SECOND_PART = 2;

let fixture: MatchingFixture;
let api: PaymentsOverHttp;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
  api = await new PaymentsOverHttp(fixture.payments).open();
  for (const [number, value] of [
    [1, due - 50n * fixture.cent],
    [SECOND_PART, 20n * fixture.cent],
  ] as const) {
    await fixture.pay(number, value);
    await fixture.name(pi(1), hash(number));
    await fixture.confirm();
  }
});
afterEach(() => api.close());

/** The field as GET by id shows it, which the list shows too. */
async function shown(): Promise<JsonObject & { readonly remaining: Remaining | null }> {
  const one = await api.get(`/v1/payment_intents/${pi(1)}`);
  const { data } = (await api.get('/v1/payment_intents')) as { data: readonly JsonObject[] };
  expect(data).toStrictEqual([one]);
  return one as JsonObject & { remaining: Remaining | null };
}

const units = ({ remaining }: { readonly remaining: Remaining | null }): bigint =>
  BigInt((remaining?.token_amount ?? '0').replace('.', ''));

it('asks for more, by an amount of its own, once a transfer that counted has left the chain', async () => {
  const { chain } = fixture.payments;
  const before = await shown();
  chain.reorganise(chain.height - (chain.blockOf(hash(SECOND_PART))?.number ?? 0) + 1);
  await fixture.settle();
  fixture.payments.mineEmpty(200);
  await fixture.settle();
  expect(await shown()).toMatchObject({ status: 'underpaid', remaining: null });
  await fixture.settle();
  const after = await shown();
  const received = formatUnits(due - 50n * fixture.cent, 6, 6);
  expect(after).toMatchObject({ status: 'underpaid', received_token_amount: received });
  expect(units(before)).toBeLessThan(31n * fixture.cent);
  expect(units(after)).toBeGreaterThan(50n * fixture.cent);
  expect(after.remaining?.pay_uri).toContain(`uint256=${units(after)}`);
  const { data } = (await api.get(`/v1/payment_intents/${pi(1)}/events`)) as { data: readonly JsonObject[] };
  expect(data.slice(-2)).toMatchObject([
    { type: 'transfer_dropped', actor: 'watcher' },
    { type: 'remainder_asked', actor: 'watcher', data: { reserved_until: after.remaining?.reserved_until } },
  ]);
});

it('asks for nothing when the time of the amount is over, by the clock of the merchant', async () => {
  const { remaining } = await shown();
  const { clock } = fixture.payments;
  clock.timeMs = Date.parse(String(remaining?.reserved_until));
  expect((await shown()).remaining).toStrictEqual(remaining);
  clock.advance(MERCHANT, 1);
  expect(await shown()).toMatchObject({ status: 'underpaid', remaining: null });
});
