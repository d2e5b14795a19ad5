import { SystemClock } from '../../../src/platform/clock/system-clock';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';

describe('SystemClock', () => {
  const clock = new SystemClock();

  it('waits as long as told', async () => {
    const startedAt = performance.now();
    await clock.wait(20);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  });

  it('ends a wait of any length when the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = Promise.all([clock.wait(10, AbortSignal.abort()), clock.wait(2 ** 40, stop.signal)]);
    stop.abort();
    await expect(waiting).resolves.toEqual([undefined, undefined]);
  });

  it('does not fire at once when the wait is longer than a timer can be', async () => {
    const stop = new AbortController();
    let ended = false;
    const waiting = clock.wait(2 ** 31 + 10, stop.signal).then(() => (ended = true));
    await clock.wait(20);
    expect(ended).toBe(false);
    stop.abort();
    await waiting;
  });
});

describe('SystemEntropy', () => {
  it('gives as many bytes as asked, and others each time', () => {
    const entropy = new SystemEntropy();
    expect(entropy.bytes(16)).toHaveLength(16);
    expect(Buffer.from(entropy.bytes(16))).not.toEqual(Buffer.from(entropy.bytes(16)));
  });

  it('gives none of its bytes twice, however many are asked for', () => {
    let next = 0;
    // Four bytes a number: each output names the place of its bytes.
    const numbered = (count: number) =>
      new Uint8Array(Uint32Array.from({ length: count / 4 }, () => (next += 1)).buffer);
    const entropy = new SystemEntropy(numbered);
    const given = [12, 16, 4_096, 8_192, 12, 16, 4_000, 64].flatMap(count => [
      ...new Uint32Array(entropy.bytes(count).slice().buffer),
    ]);
    expect(given).not.toContain(0);
    expect(new Set(given).size).toBe(given.length);
  });

  it.each([
    ['fails', () => { throw new Error('no entropy'); }], // prettier-ignore
    ['gives too little', () => new Uint8Array(3)],
  ])('mints nothing from a generator that %s', (_, generate) => {
    expect(() => new SystemEntropy(generate).bytes(16)).toThrow(expect.objectContaining({ code: 'rng_failure' }));
  });
});
