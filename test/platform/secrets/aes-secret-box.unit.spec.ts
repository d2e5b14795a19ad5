import fc from 'fast-check';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { AesSecretBox, SecretUnreadable } from '../../../src/platform/secrets/aes-secret-box';

const entropy = new SystemEntropy();
const box = new AesSecretBox(new Uint8Array(32).fill(1), entropy);
const otherBox = new AesSecretBox(new Uint8Array(32).fill(2), entropy);

it('opens what it sealed for the same record', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, id) => box.open(box.seal(text, id), id) === text),
  );
});

it('seals into v2.key.nonce.ciphertext, anew each time and without the plaintext', () => {
  const sealed = [box.seal('whsec_secret', 'we_1'), box.seal('whsec_secret', 'we_1')];
  for (const text of sealed) {
    expect(text).toMatch(/^v2\.[\w-]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(Buffer.from(text.split('.')[3] as string, 'base64url').toString()).not.toContain('whsec');
  }
  expect(sealed[0]).not.toBe(sealed[1]);
});

it('refuses two ciphertexts that were swapped', () => {
  const [first, second] = [box.seal('one', 'we_1'), box.seal('two', 'we_2')];
  expect(() => box.open(second, 'we_1')).toThrow(SecretUnreadable);
  expect(() => box.open(first, 'we_2')).toThrow('belongs to another record');
});

it('seals each record by a key of its own, so that even the same nonce tells nothing of another record', () => {
  const repeating = new AesSecretBox(new Uint8Array(32).fill(1), { bytes: length => new Uint8Array(length) });
  const [one, other] = ['we_1', 'we_2'].map(id => Buffer.from(repeating.seal('a secret', id).split('.')[3] as string));
  expect(other?.subarray(0, 8)).not.toEqual(one?.subarray(0, 8));
  expect(repeating.open(repeating.seal('a secret', 'we_1'), 'we_1')).toBe('a secret');
});

it('refuses any changed character', () => {
  const sealed = box.seal('one', 'we_1');
  for (let at = 0; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(() => box.open(changed, 'we_1')).toThrow(SecretUnreadable);
  }
});

it.each(['', 'v2', 'v2.a.b', 'v1.a.b.c', `${box.seal('x', 'r')}.x`, box.seal('x', 'r').slice(0, -1), 'plain text'])(
  'refuses "%s"',
  text => {
    expect(() => box.open(text, 'r')).toThrow(SecretUnreadable);
  },
);

it('tells a secret of another key by its key id', () => {
  expect(() => otherBox.open(box.seal('one', 'we_1'), 'we_1')).toThrow('sealed by another key');
});

it('derives one key a purpose and master key', () => {
  expect(Buffer.from(box.deriveKey('ids'))).toEqual(Buffer.from(box.deriveKey('ids')));
  const keys = [box.deriveKey('ids'), box.deriveKey('other'), otherBox.deriveKey('ids')];
  expect(new Set(keys.map(key => Buffer.from(key).toString('hex'))).size).toBe(3);
  expect(keys.map(key => key.length)).toEqual([32, 32, 32]);
});

it('takes no short master key', () => {
  expect(() => new AesSecretBox(new Uint8Array(16), entropy)).toThrow(RangeError);
});
