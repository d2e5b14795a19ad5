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

  it('wakes who waits with a signal that aborts, and listens to each signal once', async () => {
    const bell = new Bell();
    const leaving = new AbortController();
    const listens = jest.spyOn(leaving.signal, 'addEventListener');
    const waits = [1, 2, 3].map(() => bell.next(bell.rung, leaving.signal));
    expect(listens).toHaveBeenCalledTimes(1);
    leaving.abort();
    await expect(Promise.all(waits)).resolves.toHaveLength(3);
  });

  it('is not missed by who was looking when nobody waited', async () => {
    const bell = new Bell();
    const { rung } = bell;
    bell.ringOne();
    await expect(bell.next(rung, signal)).resolves.toBeUndefined();
  });
});
