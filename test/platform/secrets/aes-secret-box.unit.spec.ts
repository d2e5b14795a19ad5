import fc from 'fast-check';
import { SecretUnreadable } from '../../../src/kernel/ports/secret-box';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { fixedBox } from '../../support/fixed-data-keys';

const OWNER = { universe: 'test', merchantId: 'mch_1' } as const;
const entropy = new SystemEntropy();
const box = fixedBox(new Uint8Array(32).fill(1), entropy);
const seal = (text: string, id: string): Promise<string> => box.seal(text, id, OWNER);

it('opens what it sealed for the same record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.string(), async (text, id) => {
      expect(await box.open(await seal(text, id), id)).toBe(text);
    }),
  );
});

it('seals into v3.key.nonce.ciphertext, anew each time and without the plaintext', async () => {
  const sealed = [await seal('whsec_secret', 'we_1'), await seal('whsec_secret', 'we_1')];
  for (const text of sealed) {
    expect(text).toMatch(/^v3\.test_mch_1\.[\w-]{16}\.[\w-]+$/);
    expect(Buffer.from(text.split('.')[3] as string, 'base64url').toString()).not.toContain('whsec');
  }
  expect(sealed[0]).not.toBe(sealed[1]);
});

it('seals by the data key of the owner, which the text names', async () => {
  const live = await box.seal('one', 'we_1', { universe: 'live', merchantId: 'mch_1' });
  expect(live).toMatch(/^v3\.live_mch_1\./);
  expect(await box.open(live, 'we_1')).toBe('one');
  await expect(box.open(live.replace('live', 'test'), 'we_1')).rejects.toThrow(SecretUnreadable);
});

it('refuses two ciphertexts that were swapped', async () => {
  const [first, second] = [await seal('one', 'we_1'), await seal('two', 'we_2')];
  await expect(box.open(second, 'we_1')).rejects.toThrow(SecretUnreadable);
  await expect(box.open(first, 'we_2')).rejects.toThrow('belongs to another record');
});

it('seals each record by a key of its own, so that even the same nonce tells nothing of another record', async () => {
  const repeating = fixedBox(new Uint8Array(32).fill(1), { bytes: length => new Uint8Array(length) });
  const texts = [await repeating.seal('a secret', 'we_1', OWNER), await repeating.seal('a secret', 'we_2', OWNER)];
  const [one, other] = texts.map(text => Buffer.from(text.split('.')[3] as string, 'base64url'));
  expect(other?.subarray(0, 8)).not.toEqual(one?.subarray(0, 8));
  expect(await repeating.open(texts[0] as string, 'we_1')).toBe('a secret');
});

it('refuses any changed character', async () => {
  const sealed = await seal('one', 'we_1');
  for (let at = 0; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    await expect(box.open(changed, 'we_1')).rejects.toThrow(SecretUnreadable);
  }
});

it.each(['', 'v3', 'v3.a.b', 'v1.a.b.c', 'v3.Unnamed.AAAAAAAAAAAAAAAA.AAAA', 'v2.a.b', 'plain text'])(
  'refuses "%s"',
  async text => {
    await expect(box.open(text, 'r')).rejects.toThrow(SecretUnreadable);
  },
);

it.each([(text: string) => `${text}.x`, (text: string) => text.slice(0, -1)])('refuses another end', async changed => {
  await expect(box.open(changed(await seal('x', 'r')), 'r')).rejects.toThrow(SecretUnreadable);
});

it('cannot open the text of another key', async () => {
  const otherBox = fixedBox(new Uint8Array(32).fill(2), entropy);
  await expect(otherBox.open(await seal('one', 'we_1'), 'we_1')).rejects.toThrow(SecretUnreadable);
});
