import { refuse } from '../../../src/vocabulary/errors';
import type { ContractReader } from '../../../src/kernel/ports/contract-reader';
import { ChainlinkSource } from '../../../src/platform/rates/chainlink-source';

const FEED = '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B';
const UPDATED_AT = 1_793_534_340n;

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0');
const round = (answer: bigint, updatedAt = UPDATED_AT): string =>
  `0x${[36_893_488n, answer, updatedAt, updatedAt, 36_893_488n].map(word).join('')}`;

function answering(answer: string | null, calls: (readonly string[])[] = []): ChainlinkSource {
  const reader: ContractReader = {
    readContract: (address, data) => {
      calls.push([address, data]);
      return Promise.resolve(answer);
    },
  };
  return new ChainlinkSource(reader, FEED);
}

test('reads the last round of the feed, in hundred-millionths of a dollar and as of its own time', async () => {
  const calls: (readonly string[])[] = [];
  expect(await answering(round(80_000_000n), calls).observe()).toEqual([
    {
      source: 'chainlink',
      family: 'on_chain',
      asset: 'USDC',
      currency: 'USD',
      rate: '1.25',
      observed_at: '2026-11-01T11:59:00.000Z',
    },
  ]);
  expect(calls).toEqual([[FEED, '0xfeaf968c']]);
});

test('keeps every digit of the price', async () => {
  const [observation] = await answering(round(99_998_765n)).observe();
  // 1 / 0.99998765
  expect(observation?.rate).toBe('1.000012350152524383676138400309243819161166640408');
});

test.each<[string, string | null, string]>([
  ['no contract', null, 'no price feed stands at'],
  ['an empty answer', '0x', 'the answer is no price round'],
  ['a word too few', round(1n).slice(0, -64), 'the answer is no price round'],
  ['a word too many', `${round(1n)}${word(1n)}`, 'the answer is no price round'],
  ['a price of zero', round(0n), 'answer is not above zero'],
  ['a negative price', round(-100_000_000n), 'answer is not above zero'],
  ['a price beyond reason', round(10n ** 30n), 'answer is not a positive price'],
  ['a round that never was', round(100_000_000n, 0n), 'updatedAt'],
  ['a time beyond reason', round(100_000_000n, 10n ** 15n), 'updatedAt'],
])('is invalid with %s', async (_, answer, fault) => {
  await expect(answering(answer).observe()).rejects.toMatchObject({
    code: 'provider_response_invalid',
    message: expect.stringContaining(`chainlink: ${fault}`),
  });
});

test('is unavailable where no provider answers', async () => {
  const reader: ContractReader = { readContract: () => Promise.reject(refuse('provider_unavailable')) };
  await expect(new ChainlinkSource(reader, FEED).observe()).rejects.toMatchObject({ code: 'provider_unavailable' });
});
