import { RecentlySealed } from '../../../src/platform/idempotency/recently-sealed';
import { AesSecretBox } from '../../../src/platform/secrets/aes-secret-box';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';

const ID = 'key_1/0001/command';

describe('an answer sealed a moment ago', () => {
  const box = new AesSecretBox(Buffer.alloc(32, 7), new SystemEntropy());
  const open = jest.spyOn(box, 'open');
  const recent = new RecentlySealed(box);

  beforeEach(() => open.mockClear());

  it('is there without being opened', () => {
    const sealed = recent.seal('{"id":"pi_1"}', ID);
    expect(recent.open(sealed, ID)).toBe('{"id":"pi_1"}');
    expect(open).not.toHaveBeenCalled();
  });

  it('opens for its own record only, and not when it was changed', () => {
    const sealed = recent.seal('{"id":"pi_1"}', ID);
    expect(() => recent.open(sealed, 'key_2/0001/command')).toThrow('cannot be read');
    expect(() => recent.open(`${sealed.slice(0, -2)}AA`, ID)).toThrow('cannot be read');
  });

  it('is opened again once others have taken its place', () => {
    const first = recent.seal('first', ID);
    for (let count = 0; count < 4_096; count++) recent.seal('x', ID);
    expect(recent.open(first, ID)).toBe('first');
    expect(open).toHaveBeenCalledTimes(1);
    const long = recent.seal('y'.repeat(8 * 1_024 * 1_024 + 1), ID);
    expect(recent.open(long, ID)).toHaveLength(8 * 1_024 * 1_024 + 1);
    expect(open).toHaveBeenCalledTimes(2);
  });
});
