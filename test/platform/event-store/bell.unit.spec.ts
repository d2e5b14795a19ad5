import { Bell } from '../../../src/platform/event-store/embedded/bell';

const { signal } = new AbortController();

async function wokenBy(ring: (bell: Bell) => void): Promise<readonly string[]> {
  const bell = new Bell();
  const woken: string[] = [];
  for (const name of ['first', 'second', 'third']) void bell.next(bell.rung, signal).then(() => woken.push(name));
  ring(bell);
  await new Promise(setImmediate);
  return woken;
}

describe('Bell', () => {
  it('wakes all who wait', async () => {
    expect(await wokenBy(bell => bell.ring())).toEqual(['first', 'second', 'third']);
  });

  it('wakes the one who has waited longest where one is enough', async () => {
    expect(await wokenBy(bell => bell.ringOne())).toEqual(['first']);
  });

  it('wakes another one for each ring', async () => {
    const twice = await wokenBy(bell => {
      bell.ringOne();
      bell.ringOne();
    });
    expect(twice).toEqual(['first', 'second']);
  });

  it('is not missed by who was looking when nobody waited', async () => {
    const bell = new Bell();
    const { rung } = bell;
    bell.ringOne();
    await expect(bell.next(rung, signal)).resolves.toBeUndefined();
  });
});
