import Stripe from 'stripe';
import vectorsFile from '../../clients/webhook-vectors.json';
import {
  constructEvent,
  QuittanceError,
  signTestEvent,
  SignatureVerificationError,
} from '../../clients/typescript/src';
import { signatureHeader } from '../../src/modules/webhooks/signature';

type Vector = {
  readonly name: string;
  readonly body: string;
  readonly header: string;
  /** The secrets that the receiver knows. */
  readonly secrets: readonly string[];
  readonly now_seconds: number;
  readonly tolerance_seconds?: number;
  readonly valid: boolean;
  /** The secrets with which the service signed, where it would send this very header. */
  readonly signed_with?: readonly string[];
  /** Cases where the published library decides otherwise. */
  readonly stripe_library?: string;
};

const VECTORS = (vectorsFile.vectors as readonly Vector[]).map(vector => [vector.name, vector] as const);
const [, SENT] = VECTORS[0] as readonly [string, Vector];
const TOLERANCE_SECONDS = 300;

function receive(vector: Vector, rawBody: string | Uint8Array = vector.body): unknown {
  const { header, secrets, tolerance_seconds: tolerance, now_seconds: now } = vector;
  return constructEvent(rawBody, header, secrets, tolerance, () => now * 1_000 + 999);
}

describe('the signature of a delivery', () => {
  it.each(VECTORS)('%s', (_, vector) => {
    if (vector.valid) expect(receive(vector)).toStrictEqual(JSON.parse(vector.body));
    else expect(() => receive(vector)).toThrow(SignatureVerificationError);
  });

  it.each(VECTORS)('is the same over bytes: %s', (_, vector) => {
    const bytes = new TextEncoder().encode(vector.body);
    if (vector.valid) expect(receive(vector, bytes)).toStrictEqual(JSON.parse(vector.body));
    else expect(() => receive(vector, bytes)).toThrow(SignatureVerificationError);
  });

  it('is what the service sends', () => {
    const sent = VECTORS.flatMap(([, vector]) => (vector.signed_with ? [vector] : []));
    const headers = sent.map(({ header }) => header);
    const made = sent.map(({ body, header, signed_with: secrets = [] }) =>
      signatureHeader(body, secrets, Number(/^t=(\d+)/.exec(header)?.[1]) * 1_000),
    );
    expect(made).toStrictEqual(headers);
    expect(made.length).toBeGreaterThan(5);
  });

  it.each(VECTORS)('as the published library has it: %s', (_, vector) => {
    const { body, header, secrets, now_seconds: now, tolerance_seconds: tolerance = TOLERANCE_SECONDS } = vector;
    const accepts = secrets.some(secret => {
      try {
        Stripe.webhooks.constructEvent(body, header, secret, tolerance, undefined, now * 1_000);
        return true;
      } catch {
        return false;
      }
    });
    expect(accepts ? 'accepts' : 'refuses').toBe(vector.stripe_library ?? (vector.valid ? 'accepts' : 'refuses'));
  });

  it('takes one secret by itself', () => {
    const [secret = ''] = SENT.secrets;
    const event = constructEvent(SENT.body, SENT.header, secret, TOLERANCE_SECONDS, () => SENT.now_seconds * 1_000);
    expect(event.type).toBe('payment.confirmed');
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('is never checked with a tolerance of %d', tolerance => {
    expect(() => receive({ ...SENT, tolerance_seconds: tolerance })).toThrow(RangeError);
  });

  it.each([[[]], [['']], [[' \n']], [[SENT.secrets[0] as string, '']]])(
    'is never checked with the secrets %j',
    secrets => {
      expect(() => receive({ ...SENT, secrets })).toThrow(TypeError);
    },
  );

  it('is never checked over a body that was parsed', () => {
    expect(() => receive(SENT, JSON.parse(SENT.body) as string)).toThrow(TypeError);
  });

  it('is absent where the header is', () => {
    expect(() => constructEvent(SENT.body, undefined, SENT.secrets)).toThrow(SignatureVerificationError);
  });

  it('holds over a body that is not JSON, which is then no event', () => {
    const header = signatureHeader('ok', SENT.secrets, SENT.now_seconds * 1_000);
    expect(() => receive({ ...SENT, body: 'ok', header })).toThrow(QuittanceError);
  });
});

describe('a test event', () => {
  const now = (): number => SENT.now_seconds * 1_000 + 999;

  it('is signed as the service signs', () => {
    for (const secrets of [SENT.secrets, [...SENT.secrets, 'whsec_other']])
      expect(signTestEvent(SENT.body, secrets, now)).toBe(signatureHeader(SENT.body, secrets, now()));
    expect(signTestEvent(new TextEncoder().encode(SENT.body), SENT.secrets, now)).toBe(
      signatureHeader(SENT.body, SENT.secrets, now()),
    );
  });

  it('is taken by a receiver, at this moment by default', () => {
    const [secret = ''] = SENT.secrets;
    expect(constructEvent(SENT.body, signTestEvent(SENT.body, secret), secret)).toStrictEqual(JSON.parse(SENT.body));
  });

  it.each([[[]], [''], [['']]])('is never signed with the secrets %j', secrets => {
    expect(() => signTestEvent(SENT.body, secrets, now)).toThrow(TypeError);
  });

  it('is never signed over a body that was parsed', () => {
    expect(() => signTestEvent(JSON.parse(SENT.body) as string, SENT.secrets, now)).toThrow(TypeError);
  });
});
