import { RecentlySealed } from '../../../src/platform/idempotency/recently-sealed';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { fixedBox } from '../../support/fixed-data-keys';

const ID = 'key_1/0001/command';
const OWNER = { universe: 'test', merchantId: 'mch_1' } as const;

describe('an answer sealed a moment ago', () => {
  const box = fixedBox(Buffer.alloc(32, 7), new SystemEntropy());
  const open = jest.spyOn(box, 'open');
  const recent = new RecentlySealed(box);

  beforeEach(() => open.mockClear());

  it('is there without being opened', async () => {
    const sealed = await recent.seal('{"id":"pi_1"}', ID, OWNER);
    expect(await recent.open(sealed, ID)).toBe('{"id":"pi_1"}');
    expect(open).not.toHaveBeenCalled();
  });

  it('opens for its own record only, and not when it was changed', async () => {
    const sealed = await recent.seal('{"id":"pi_1"}', ID, OWNER);
    await expect(recent.open(sealed, 'key_2/0001/command')).rejects.toThrow('cannot be read');
    await expect(recent.open(`${sealed.slice(0, -2)}AA`, ID)).rejects.toThrow('cannot be read');
  });

  it('is opened again once others have taken its place', async () => {
    const first = await recent.seal('first', ID, OWNER);
    for (let count = 0; count < 4_096; count++) await recent.seal('x', ID, OWNER);
    expect(await recent.open(first, ID)).toBe('first');
    expect(open).toHaveBeenCalledTimes(1);
    const long = await recent.seal('y'.repeat(8 * 1_024 * 1_024 + 1), ID, OWNER);
    expect(await recent.open(long, ID)).toHaveLength(8 * 1_024 * 1_024 + 1);
    expect(open).toHaveBeenCalledTimes(2);
  });
});
