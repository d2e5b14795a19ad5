import type { ChainLog, Transaction } from './chain-view';
import { ForkingChain } from './forking-chain';

const TOKEN = '0xtoken';
const SHOP = '0xshop';

function log(mark: number | null, to = SHOP): ChainLog {
  return { mark, contract: TOKEN, from: '0xpayer', to, valueBaseUnits: 7n };
}

function transaction(txHash: string, ...logs: readonly ChainLog[]): Transaction {
  return { txHash, logs, hasFailed: false };
}

describe('a chain that forks', () => {
  const opened = (): ForkingChain => {
    const chain = new ForkingChain(0, 1_000, 2);
    chain.mineEmpty(5);
    return chain;
  };

  it('tells a log by its place in its transaction, logs of others counted', () => {
    const chain = opened();
    const { hash } = chain.mine(transaction('0xa', log(1)), transaction('0xb', log(null, '0xother'), log(2)));
    const found = chain.now.transfersInBlock(hash, TOKEN, [SHOP]);
    expect(found.map(({ txHash, ordinal }) => [txHash, ordinal])).toEqual([['0xa', 0], ['0xb', 1]]); // prettier-ignore
  });

  it('gives a fork back block for block, as long as the other had become', () => {
    const chain = opened();
    const { hash } = chain.mine(transaction('0xa', log(1)));
    const fork = chain.snapshot();
    chain.reorganise(3);
    chain.mineEmpty(2);
    expect(chain.now.blockOf('0xa')).toBeNull();
    expect(fork.blockOf('0xa')?.hash).toBe(hash);
    const { height } = chain;
    expect(chain.depthOf(fork)).toBe(5);
    chain.returnTo(fork);
    expect([chain.now.blockOf('0xa')?.hash, chain.height]).toEqual([hash, height]);
  });

  it('never makes the same block twice', () => {
    const chain = opened();
    const before = chain.now.head.hash;
    chain.reorganise(1);
    expect(chain.now.head.hash).not.toBe(before);
    expect(() => chain.now.transfersInBlock(before, TOKEN, [SHOP])).toThrow('unknown block');
  });
});
