import type { Chain } from '../../../src/kernel/ports/chain';
import type { ChainBalances } from '../../../src/kernel/ports/chain-balances';
import { TOKENS, type TokenId } from '../../../src/vocabulary/tokens';
import { tronTwin } from '../../../src/platform/chains/tron/tron-address';
import { TronChain } from '../../../src/platform/chains/tron/tron-chain';
import type { SandboxChain } from '../../../src/sandbox/sandbox-chain';
import { startStillChain } from '../../sandbox/local-chain';
import { startTronStage } from '../../sandbox/tron-stage';

type Stage = {
  readonly sandbox: SandboxChain;
  readonly chain: Chain & { readonly balances: ChainBalances };
  readonly stop: () => Promise<void>;
};

const STRANGER = '0x000000000000000000000000000000000000bEEF';
const OTHER = '0x000000000000000000000000000000000000dEaD';
/** More blocks than a local node keeps the state of. */
const LONG_AGO = 80;
const SOLID_DEPTH = 20;
const LIMIT_MS = 30_000;

const FAMILIES: readonly (readonly [string, TokenId, (address: string) => string, () => Promise<Stage>])[] = [
  ['bnb', 'usdt-bnb', address => address, () => startStillChain('bnb')],
  [
    'tron',
    'usdt-tron',
    tronTwin,
    async () => {
      const { sandbox, facade, stop } = await startTronStage();
      return { sandbox, chain: new TronChain({ mode: 'test', urls: [facade.url] }), stop };
    },
  ],
];

describe.each(FAMILIES)('the balances of %s', (_network, tokenId, form, start) => {
  const contract = TOKENS[tokenId].contract.test;
  const [stranger, other] = [form(STRANGER), form(OTHER)];
  let stage: Stage;
  let wallet: string;

  beforeAll(async () => {
    stage = await start();
    wallet = stage.sandbox.accounts[1]?.address ?? '';
    await stage.sandbox.sendToken({ tokenId, to: wallet, baseUnits: 1_000_000n, fromIndex: 2 });
    await stage.sandbox.mine(1);
  }, LIMIT_MS);

  afterAll(() => stage.stop());

  const send = (to: string, baseUnits: bigint, fromIndex: number) =>
    stage.sandbox.sendToken({ tokenId, to, baseUnits, fromIndex });

  async function mined() {
    await stage.sandbox.mine(1);
    return stage.chain.head();
  }

  it('tells what came to an address, what left it and what it sent to itself, each once', async () => {
    const { sandbox, chain } = stage;
    const sent = [
      await send(wallet, 70n, 2),
      await send(stranger, 30n, 1),
      await send(wallet, 5n, 1),
      await send(wallet, 0n, 2),
    ];
    const { number: last } = await mined();
    await send(other, 9n, 2);
    await mined();
    await sandbox.mine(SOLID_DEPTH);
    const reading = await chain.balances.movementsInRange(last, last + 1, contract, [wallet]);
    expect(reading.unread).toEqual([]);
    expect(reading.endHash).toBe((await chain.blockAt(last + 1))?.hash);
    const told = reading.transfers.map(({ txHash, to, valueBaseUnits }) => [txHash, to, valueBaseUnits]);
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        [sent[0], wallet, 70n],
        [sent[1], stranger, 30n],
        [sent[2], wallet, 5n],
      ]),
    );
    const both = await chain.balances.movementsInRange(last, last, contract, [wallet, stranger]);
    expect(both.transfers).toHaveLength(3);
    // The scan of payments asks by recipients alone.
    const { transfers } = await chain.transfersInRange(last, last, contract, [wallet]);
    expect(transfers.map(({ txHash }) => txHash).sort()).toEqual([sent[0], sent[2]].sort());
  });

  it('tells a balance as it was after a block, whatever has moved since', async () => {
    const { sandbox, chain } = stage;
    await send(wallet, 100n, 2);
    const block = await mined();
    await sandbox.mine(SOLID_DEPTH);
    const before = await chain.balances.balanceAt(contract, wallet, block);
    expect(before).toBeGreaterThan(0n);
    await send(wallet, 11n, 2);
    await send(stranger, 4n, 1);
    const later = await mined();
    await sandbox.mine(SOLID_DEPTH);
    expect(await chain.balances.balanceAt(contract, wallet, block)).toBe(before);
    expect(await chain.balances.balanceAt(contract, wallet, later)).toBe((before ?? 0n) + 7n);
    // A node forgets the state of old blocks, so the balance follows from a newer one and the transfers since.
    await sandbox.mine(LONG_AGO);
    expect(await chain.balances.balanceAt(contract, wallet, block)).toBe(before);
    expect(await chain.balances.balanceAt(contract, other, block)).toBeGreaterThanOrEqual(0n);
  });

  it('tells no balance of a block that the chain has not got', async () => {
    const { number } = await stage.chain.head();
    const block = { number: number - SOLID_DEPTH, hash: `${contract.startsWith('0x') ? '0x' : ''}${'11'.repeat(32)}` };
    const asked = stage.chain.balances.balanceAt(contract, wallet, block);
    await expect(asked).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});
