import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

/** A part of a ceremony that a forger changes. */
export type Forgery = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly isUserVerified?: boolean;
  readonly isUserPresent?: boolean;
  readonly counter?: number;
  readonly algorithm?: number;
  readonly format?: string;
  readonly userHandle?: string | null;
  readonly id?: string;
  readonly breaksSignature?: boolean;
};

type Options = { readonly challenge: string };

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** An authenticator with one P-256 key, as a browser answers for it: attestation `none`, and real signatures. */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle: string | null = null;

  /** `counts` is false for a passkey that is synchronised between devices. */
  constructor(
    private readonly origin: string,
    private readonly rpId: string,
    private readonly counts = true,
  ) {}

  get id(): string {
    return this.credentialId.toString('base64url');
  }

  create(options: Options & { readonly user: { readonly id: string } }, forgery: Forgery = {}) {
    this.userHandle = options.user.id;
    const key = coseKey(this.keys.publicKey, forgery.algorithm ?? -7);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, key]);
    const authData = Buffer.concat([this.data(ATTESTED, forgery), attested]);
    const attestationObject = cborMap([
      [cborText('fmt'), cborText(forgery.format ?? 'none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    const clientDataJSON = this.clientData('webauthn.create', options, forgery);
    return this.answer({ clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) }, forgery);
  }

  get(options: Options, forgery: Forgery = {}) {
    if (this.counts && forgery.counter === undefined) this.counter += 1;
    const authenticatorData = this.data(0, forgery);
    const clientDataJSON = this.clientData('webauthn.get', options, forgery);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    if (forgery.breaksSignature) signed[0] = (signed[0] as number) ^ 1;
    const signature = createSign('sha256').update(signed).sign(this.keys.privateKey);
    const userHandle = forgery.userHandle === undefined ? this.userHandle : forgery.userHandle;
    return this.answer(
      {
        clientDataJSON: text(clientDataJSON),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
        userHandle,
      },
      forgery,
    );
  }

  private answer<Response extends object>(response: Response, { id = this.id }: Forgery) {
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  private clientData(type: string, { challenge }: Options, forgery: Forgery): Buffer {
    const { origin = this.origin, crossOrigin = false } = forgery;
    const data = { type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin, crossOrigin };
    return Buffer.from(JSON.stringify(data));
  }

  private data(more: number, forgery: Forgery): Buffer {
    const { rpId = this.rpId, isUserVerified = true, isUserPresent = true, counter = this.counter } = forgery;
    const flags = more | (isUserPresent ? USER_PRESENT : 0) | (isUserVerified ? USER_VERIFIED : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** EC2 key in COSE form (RFC 9053, section 7.1.1). */
function coseKey(key: KeyObject, algorithm: number): Buffer {
  const { x, y } = key.export({ format: 'jwk' }) as { x: string; y: string };
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(algorithm)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
}

/** Major types of CBOR (RFC 8949, section 3.1). */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(value: string): Buffer {
  return Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
}

function cborMap(pairs: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, pairs.length), ...pairs.flat()]);
}
