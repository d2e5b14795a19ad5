import { SERVICE_PURPOSES } from '../../../src/kernel/ports/data-keys';
import { SecretUnreadable } from '../../../src/kernel/ports/secret-box';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { AesWrappingKey } from '../../../src/platform/secrets/aes-wrapping-key';
import { openFormer } from '../../../src/platform/secrets/former-box';

const entropy = new SystemEntropy();
const masterKey = new Uint8Array(32).fill(1);
const key = new AesWrappingKey(masterKey, entropy);
const otherKey = new AesWrappingKey(new Uint8Array(32).fill(2), entropy);
const dataKey = new Uint8Array(32).fill(9);

/** Sealed by the program that had no data keys, with the same master key. */
const FORMER = { recordId: 'usr_1', text: 'JBSWY3DPEHPK3PXP' };
const SEALED = 'v2.IMvz6EZ3.dHdlbHZlIGJ5dGVz.2ZiupHqBunwB03pdiLt_INaSQKi6GukudcnUFOKLPjI';
/** The values that the same program derived. */
const DERIVED = {
  'secret box': 'fdf9492a65b2e842aefc451f6aced8328fd0f60d8052593e433af10ab14121b5',
  ids: '5385f8604071484cc39b795ecf648b5f57fdfa8bd007f81bfc34557d5cc03e46',
  'object ids': '0206e6b1ed93318abcb83ef9e97be7c8dc79aa78ac3e915569cee4f5ca1c4299',
  'mfa proofs': 'd82042e331ce8aeadccaef1f37526080f81abab5c2bf6d4c14e7a066e6bb6fae',
};

it('unwraps what it wrapped for the same name', () => {
  const wrapped = key.wrap(dataKey, 'test_mch_1');
  expect(wrapped).toMatch(/^[\w-]{16}\.[\w-]+$/);
  expect(Buffer.from(key.unwrap(wrapped, 'test_mch_1'))).toEqual(Buffer.from(dataKey));
  expect(() => key.unwrap(wrapped, 'live_mch_1')).toThrow(SecretUnreadable);
  expect(() => otherKey.unwrap(wrapped, 'test_mch_1')).toThrow(SecretUnreadable);
});

it('has an id that follows from the master key and tells nothing of it', () => {
  expect(key.id).toBe(new AesWrappingKey(masterKey, entropy).id);
  expect(key.id).toMatch(/^[\w-]{8}$/);
  expect(otherKey.id).not.toBe(key.id);
});

it('begins with the values that were derived before there were data keys', () => {
  const bytes = Buffer.from(key.serviceKey());
  const values = SERVICE_PURPOSES.map((purpose, index) => [
    purpose,
    bytes.subarray(32 * index, 32 * (index + 1)).toString('hex'),
  ]);
  expect(Object.fromEntries(values)).toEqual(DERIVED);
});

it('knows the secrets of a log from before there were data keys', () => {
  expect(openFormer(SEALED, FORMER.recordId, key.serviceKey().subarray(0, 32))).toBe(FORMER.text);
  expect(key.isForeign(SEALED, FORMER.recordId)).toBe(false);
  expect(otherKey.isForeign(SEALED, FORMER.recordId)).toBe(true);
  expect(otherKey.isForeign('a text of another form', FORMER.recordId)).toBe(false);
});

it('takes no short master key', () => {
  expect(() => new AesWrappingKey(new Uint8Array(16), entropy)).toThrow(RangeError);
});
