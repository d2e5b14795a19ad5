import Stripe from 'stripe';
import { isRefusal } from '../../../src/vocabulary/errors';
import { signatureHeader } from '../../../src/modules/webhooks/signature';

const NOW_MS = 1_793_534_400_999;
const BODY = '{"id":"evt_1","data":{"name":"Käse ✓"}}';

function verify(header: string, secret: string, body = BODY, receivedMs = NOW_MS): unknown {
  return Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, receivedMs);
}

describe('the signature header', () => {
  it('passes the published verifier, under each active secret', () => {
    const header = signatureHeader(BODY, ['whsec_new', 'whsec_old'], NOW_MS);
    expect(header).toMatch(/^t=1793534400,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(verify(header, 'whsec_new')).toEqual(JSON.parse(BODY));
    expect(verify(header, 'whsec_old')).toEqual(JSON.parse(BODY));
  });

  it.each([
    ['another secret', () => verify(signatureHeader(BODY, ['whsec_a'], NOW_MS), 'whsec_b')],
    ['another body', () => verify(signatureHeader(BODY, ['whsec_a'], NOW_MS), 'whsec_a', `${BODY} `)],
    ['a time gone by', () => verify(signatureHeader(BODY, ['whsec_a'], NOW_MS), 'whsec_a', BODY, NOW_MS + 302_000)],
  ])('fails it for %s', (_, attempt) => expect(attempt).toThrow(Stripe.errors.StripeSignatureVerificationError));

  it('is never made without a secret', () => {
    try {
      signatureHeader(BODY, [], NOW_MS);
      throw new Error('it was made');
    } catch (error) {
      expect(isRefusal(error, 'no_signing_secret')).toBe(true);
    }
  });
});
