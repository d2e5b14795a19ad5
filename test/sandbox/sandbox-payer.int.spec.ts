import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { TOKENS, type TokenId } from '../../src/vocabulary/tokens';
import type { NetworkId } from '../../src/vocabulary/networks';
import type { Chain } from '../../src/kernel/ports/chain';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { SystemEntropy } from '../../src/platform/clock/system-entropy';
import { EvmChain } from '../../src/platform/chains/evm/evm-chain';
import { SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SandboxPayer } from '../../src/sandbox/sandbox-payer';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { TronChain } from '../../src/platform/chains/tron/tron-chain';
import { RecordingLog } from '../support/payment-fixture';

const LIMIT_MS = 30_000;
const EVM_SHOP = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TRON_SHOP = 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8';

const CASES: readonly (readonly [NetworkId, TokenId, string])[] = [
  ['base', 'usdc-base', EVM_SHOP],
  ['tron', 'usdt-tron', TRON_SHOP],
];

describe.each(CASES)('paying on the local chain %s', (network, tokenId, to) => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-payer-'));
  const { contract } = TOKENS[tokenId];
  let local: SandboxChain;
  let facade: TronFacade | null = null;
  let chain: Chain;
  let payer: SandboxPayer;

  beforeAll(async () => {
    const clock = new SystemClock();
    const log = new RecordingLog();
    local = await SandboxChain.start({ dataFolder, network, clock, log, blockTimeSeconds: null });
    payer = new SandboxPayer(local, new SystemEntropy());
    if (network === 'tron') {
      facade = await TronFacade.start({ rpcUrl: local.rpcUrl, clock, log });
      chain = new TronChain({ mode: 'test', urls: [facade.url], clock, log });
    } else {
      chain = new EvmChain({ network: 'base', mode: 'test', urls: [local.rpcUrl], clock, log });
    }
  }, LIMIT_MS);

  afterAll(async () => {
    await facade?.close();
    await local.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const pay = (baseUnits = 25_000_000n) => payer.pay({ tokenId, to, baseUnits });

  it('sends from an account that never paid before, into a block', async () => {
    const [one, other] = [await pay(), await pay(7_000_001n)];
    const receipts = await Promise.all([one, other].map(({ txHash }) => chain.receipt(txHash)));
    const transfers = receipts.map(receipt => receipt?.transfers[0]);
    expect(transfers).toMatchObject([
      { to, valueBaseUnits: 25_000_000n, contract: contract.test },
      { to, valueBaseUnits: 7_000_001n, contract: contract.test },
    ]);
    expect(transfers[0]?.from).not.toBe(transfers[1]?.from);
  });

  it('tells the id of its transaction, and waits for the answer, before the transaction is on its way', async () => {
    const told: (readonly [string, boolean])[] = [];
    const onSigned = async (txHash: string) => {
      await local.mine(1);
      told.push([txHash, (await chain.receipt(txHash)) === null]);
    };
    const { txHash } = await payer.pay({ tokenId, to, baseUnits: 6_000_000n, onSigned });
    expect(told).toStrictEqual([[txHash, true]]);
    expect(await chain.receipt(txHash)).not.toBeNull();
  });

  it.each([1, 2, 3, 4, 5, 6, 7])('pays once under a name, though the process ends at its step %i', async step => {
    const name = `command-${network}-${step}`;
    const baseUnits = 5_000_000n + BigInt(step);
    const payment = { tokenId, to, baseUnits, name };
    const before = await local.headNumber();
    const first = await new SandboxPayer(dyingAfter(local, step), new SystemEntropy()).pay(payment).catch(() => null);
    const again = await payer.pay(payment);
    expect(first ?? again).toEqual(again);
    expect(await payer.paid(name)).toEqual({ ...again, baseUnits });
    const found: string[] = [];
    for (let height = await local.headNumber(); height > before; height--) {
      const block = await chain.blockAt(height);
      if (!block) continue;
      const { transfers } = await chain.transfersInBlock(block.hash, contract.test, [to]);
      found.push(...transfers.filter(each => each.valueBaseUnits === baseUnits).map(({ txHash }) => txHash));
    }
    expect(found).toEqual([again.txHash]);
  });

  it.each(['funded', 'paid'])(
    'finishes a payment that was %s a hundred blocks before its process was killed',
    async how => {
      const payment = { tokenId, to, baseUnits: 6_000_001n, name: `old-${network}-${how}` };
      const step = how === 'funded' ? 6 : 7;
      const dying = new SandboxPayer(dyingAfter(local, step), new SystemEntropy());
      await expect(dying.pay(payment)).rejects.toThrow('killed');
      await local.mine(100);
      const again = await payer.pay(payment);
      expect(await payer.paid(payment.name)).toEqual({ ...again, baseUnits: payment.baseUnits });
      await local.mine(100);
      expect(await payer.pay(payment)).toEqual(again);
    },
  );

  it('knows of no payment under a name that was not paid', async () => {
    expect(await payer.paid('never')).toBeNull();
  });

  it('takes a payment back, and leaves those of others where they were', async () => {
    const before = await pay(1_000_001n);
    const victim = await pay();
    const after = await pay(1_000_002n);
    await local.mine(2);
    const head = await local.headNumber();
    await payer.takeBack([victim.txHash]);
    expect(await local.headNumber()).toBe(head);
    expect(await chain.receipt(victim.txHash)).toBeNull();
    for (const { txHash } of [before, after]) {
      expect(await chain.receipt(txHash)).toMatchObject({ succeeded: true });
    }
    await payer.takeBack([victim.txHash]);
    expect(await local.headNumber()).toBe(head);
  });

  it('lets a payment fail that was in a block before, once its funding is taken back', async () => {
    const { txHash, funding } = await pay();
    expect(await chain.receipt(txHash)).toMatchObject({ succeeded: true });
    await payer.takeBack([funding]);
    expect(await chain.receipt(txHash)).toMatchObject({ succeeded: false, transfers: [] });
  });

  it('pays in a look-alike of the token', async () => {
    const { txHash } = await payer.pay({ tokenId, to, baseUnits: 25_000_000n, lookalike: true });
    const receipt = await chain.receipt(txHash);
    expect(receipt).toMatchObject({ succeeded: true });
    expect(receipt?.transfers.some(transfer => transfer.contract === contract.test)).toBe(false);
  });
});

/** A chain whose process ends once that many of its sends and blocks were made. */
function dyingAfter(chain: SandboxChain, steps: number): SandboxChain {
  let left = steps;
  const counted = ['giveCoins', 'sendToken', 'mine'];
  return new Proxy(chain, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (!counted.includes(String(name))) return member.bind(target) as unknown;
      return async (...values: unknown[]): Promise<unknown> => {
        if (left <= 0) throw new Error('killed');
        const answer: unknown = await Reflect.apply(member, target, values);
        left -= 1;
        if (left <= 0) throw new Error('killed');
        return answer;
      };
    },
  });
}
