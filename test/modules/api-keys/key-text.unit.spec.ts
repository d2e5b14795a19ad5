import fc from 'fast-check';
import { keyHash, keyText, KEY_BYTES, parseApiKey } from '../../../src/modules/api-keys/key-text';

const bytes = fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES });
const kinds = fc.constantFrom('sk', 'pk', 'rk');
const modes = fc.constantFrom('test', 'live');

describe('the text of a key', () => {
  it('is of one length, in base62, and reads back', () => {
    fc.assert(
      fc.property(kinds, modes, bytes, (kind, mode, random) => {
        const text = keyText(kind, mode, random);
        expect(text).toMatch(/^(sk|pk|rk)_(test|live)_[0-9A-Za-z]{49}$/);
        expect(parseApiKey(text)).toEqual({ kind, mode });
      }),
    );
  });

  it('holds all 256 bits', () => {
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        fc.pre(Buffer.compare(a, b) !== 0);
        expect(keyText('sk', 'test', a)).not.toBe(keyText('sk', 'test', b));
      }),
    );
    expect(parseApiKey(keyText('sk', 'live', new Uint8Array(KEY_BYTES).fill(255)))).not.toBeNull();
    expect(parseApiKey(keyText('sk', 'live', new Uint8Array(KEY_BYTES)))).not.toBeNull();
  });

  it('fails its checksum with any one character mistyped', () => {
    const text = keyText('sk', 'test', new Uint8Array(KEY_BYTES).fill(7));
    for (let i = 'sk_test_'.length; i < text.length; i++) {
      const other = text[i] === 'x' ? 'y' : 'x';
      expect(parseApiKey(text.slice(0, i) + other + text.slice(i + 1))).toBeNull();
    }
    expect(parseApiKey(text.replace('test', 'live'))).toBeNull();
    expect(parseApiKey(text.replace('sk', 'rk'))).toBeNull();
  });

  it('is whole or nothing', () => {
    const text = keyText('sk', 'test', new Uint8Array(KEY_BYTES).fill(7));
    for (const wrong of ['', text.slice(0, -1), `${text}a`, `${text}\n`, ` ${text}`, 'sk_test_', 'hello']) {
      expect(parseApiKey(wrong)).toBeNull();
    }
  });

  it('is made of 32 bytes, no fewer', () => {
    expect(() => keyText('sk', 'test', new Uint8Array(16))).toThrow('32 random bytes');
  });

  it('is hashed by SHA-256', () => {
    expect(keyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
