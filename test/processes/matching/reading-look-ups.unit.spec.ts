import type { MerchantClocks } from '../../../src/kernel/merchant-clocks';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import type { WritePath } from '../../../src/kernel/write-path';
import { ReadingLookUps } from '../../../src/processes/matching/reading-look-ups';

const KEY = { network: 'base', txHash: '0x01', ordinal: 0 } as const;

it('reads a stream once, and anew where the store was away', async () => {
  const answers: (() => Promise<unknown>)[] = [
    () => Promise.reject(new StoreUnavailable('away')),
    () => Promise.resolve({ revision: -1 }),
  ];
  const load = jest.fn(() => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
  const lookUps = new ReadingLookUps({ load } as unknown as WritePath, {} as MerchantClocks);

  await expect(lookUps.transfer('live', KEY)).rejects.toThrow(StoreUnavailable);
  await expect(lookUps.transfer('live', KEY)).resolves.toEqual({ revision: -1 });
  await expect(lookUps.transfer('live', KEY)).resolves.toEqual({ revision: -1 });
  expect(load).toHaveBeenCalledTimes(2);
});
