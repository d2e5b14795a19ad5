import { RECORDED_EXAMPLES } from '../../../../src/platform/docs/recorded-examples';
import { contradictionsIn } from './contradictions';

type Body = Readonly<Record<string, unknown>>;

const answer = (operation: string, status = 200): Body =>
  RECORDED_EXAMPLES.operations[operation]?.answers[status] as Body;
const method = (payment: Body): Body => payment.payment_method as Body;

it('finds none in what was recorded', () => {
  expect(contradictionsIn(RECORDED_EXAMPLES)).toEqual([]);
});

describe('an example that contradicts itself', () => {
  const created = answer('createPaymentIntent');
  const quoted = answer('selectPaymentMethod');
  const tron = { token_id: 'usdt-tron', network_id: 'tron', asset_symbol: 'USDT', chain_id: null };

  it.each<[string, Body, string]>([
    [
      'is created and confirmed',
      { ...created, confirmed_at: '2027-01-01T00:00:00.000Z' },
      'only a paid one was confirmed',
    ],
    [
      'was confirmed before it was made',
      { ...created, confirmed_at: '2025-01-01T00:00:00.000Z' },
      'confirmed_at is not before',
    ],
    ['is created and has a method', { ...quoted, status: 'created' }, 'has no method'],
    ['waits without a method', { ...created, status: 'awaiting_payment' }, 'has a method'],
    [
      'is paid on TRON by a link of Ethereum',
      { ...quoted, payment_method: { ...method(quoted), ...tron } },
      'the link is of the network',
    ],
    [
      'has two amounts',
      { ...quoted, payment_method: { ...method(quoted), token_amount: '1.000000' } },
      'both amounts are one',
    ],
    ['has failed for no reason', { ...quoted, status: 'failed' }, 'only a failed one has failed'],
    ['is underpaid without a review', { ...quoted, status: 'underpaid' }, 'a review of its state'],
    [
      'has the checkout of another payment',
      { ...created, checkout_url: 'https://pay.example/checkout/pi_1' },
      'its id stands',
    ],
    ['is a key that ends otherwise', { ...answer('createApiKey'), last4: '....' }, 'the secret ends'],
    [
      'is an active key that was revoked',
      { ...answer('createApiKey'), revoked_at: '2027-01-01T00:00:00.000Z' },
      'only a revoked key',
    ],
    ['is a verified wallet without a proof', { ...answer('verifyWallet'), verification: null }, 'its verification'],
    [
      'is an event of another state',
      { ...(RECORDED_EXAMPLES.webhooks['payment.created'] as Body), type: 'payment.expired' },
      'the type tells',
    ],
    ['is an empty page before the last', { ...answer('listWallets'), data: [], has_more: true }, 'the last one'],
  ])('%s', (_, example, says) => {
    expect(contradictionsIn(example).join()).toContain(says);
  });
});
