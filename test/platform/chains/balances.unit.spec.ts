import { derivedBalance, StateGone } from '../../../src/platform/chains/balances';

const OWNER = 'owner';
const block = { number: 10, hash: 'ten' };
const at = { number: 12, hash: 'twelve' };
const HASHES: Readonly<Record<number, string>> = { 10: 'ten', 12: 'twelve' };

function asked(changes: Partial<Parameters<typeof derivedBalance>[1]> = {}) {
  const transfer = (from: string, to: string, valueBaseUnits: bigint) => {
    const place = { txHash: 'tx', ordinal: 0, contract: 'token', blockNumber: 11, blockHash: 'eleven' };
    return { ...place, from, to, valueBaseUnits };
  };
  const transfers = [transfer('payer', OWNER, 7n), transfer(OWNER, 'shop', 3n), transfer(OWNER, OWNER, 50n)];
  return {
    provider: 'one.example',
    owner: OWNER,
    block,
    hashAt: (height: number) => Promise.resolve(HASHES[height] ?? null),
    scan: () => Promise.resolve({ transfers, unread: [], endHash: at.hash }),
    ...changes,
  };
}

it('takes off what has come since, and adds what has gone', async () => {
  expect(await derivedBalance({ at, baseUnits: 100n }, asked())).toBe(96n);
  expect(await derivedBalance({ at: block, baseUnits: 100n }, asked())).toBe(100n);
});

const lost = { number: 11, hash: 'eleven', reason: 'unreadable', txHash: null } as const;

it.each([
  ['another block stands at the height', asked({ hashAt: () => Promise.resolve('other') })],
  [
    'the transfers are of another fork',
    asked({ scan: () => Promise.resolve({ transfers: [], unread: [], endHash: '' }) }),
  ],
  [
    'a block between cannot be read',
    asked({ scan: () => Promise.resolve({ transfers: [], unread: [lost], endHash: at.hash }) }),
  ],
  ['the provider is behind the block', asked({ block: { number: 13, hash: 'thirteen' } })],
  ['the provider is on another fork of the block', asked({ block: { number: 12, hash: 'other' } })],
])('is refused where %s', async (_case, question) => {
  const refused = derivedBalance({ at, baseUnits: 100n }, question);
  await expect(refused).rejects.toMatchObject({ code: 'provider_unavailable' });
});

it('is given up where too many blocks lie in between', async () => {
  const far = { number: block.number + 10_001, hash: 'far' };
  const refused = derivedBalance({ at: far, baseUnits: 1n }, asked());
  await expect(refused).rejects.toMatchObject({ cause: expect.any(StateGone) as StateGone });
});
