import { refuse } from '../../src/vocabulary/errors';
import type { BlockHeader, Chain } from '../../src/kernel/ports/chain';
import { nearestAnswered, requireNearestAnswered } from '../../src/watchers/answered-header';

const header = (number: number): BlockHeader => ({ number, hash: `0x${number}`, parentHash: '0x', timeMs: number });

/** A chain whose providers agree on no block from `from` to `to`, and refuse every second one of these. */
function chainWithout(from: number, to: number) {
  const asked: number[] = [];
  const agreedBlock = (height: number): Promise<BlockHeader | null> => {
    asked.push(height);
    if (height < from || height > to) return Promise.resolve(header(height));
    return height % 2 === 0 ? Promise.resolve(null) : Promise.reject(refuse('provider_unavailable'));
  };
  return { asked, chain: { agreedBlock } as Chain };
}

describe('the nearest block that is answered', () => {
  test.each([
    ['is the one that is asked for', 500, 600, 499],
    ['lies right below', 499, 499, 498],
    ['lies below a short run', 490, 499, 489],
    ['lies below a long run', 101, 499, 100],
  ])('%s', async (_name, from, to, number) => {
    const { chain, asked } = chainWithout(from, to);
    expect((await nearestAnswered(chain, 499, 100))?.number).toBe(number);
    expect(asked.length).toBeLessThanOrEqual(20);
  });

  test('is none where all are unanswered, or the only one lies too low', async () => {
    const { chain, asked } = chainWithout(100, 499);
    expect(await nearestAnswered(chain, 499, 100)).toBeNull();
    expect(Math.min(...asked)).toBe(100);
    await expect(requireNearestAnswered(chainWithout(0, 50_000).chain, 49_000)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
    expect((await requireNearestAnswered(chain, 499)).number).toBe(99);
  });

  test('is not looked for over a fault of our own', async () => {
    const chain = { agreedBlock: () => Promise.reject(new Error('ours')) } as unknown as Chain;
    await expect(nearestAnswered(chain, 499, 100)).rejects.toThrow('ours');
  });
});
