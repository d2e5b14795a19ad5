import { TOKENS } from '../../src/vocabulary/tokens';
import type { Mode } from '../../src/vocabulary/modes';
import type { Chain } from '../../src/kernel/ports/chain';
import type { NetworkWatcher } from '../../src/watchers/network-watcher';
import { CrowdedNode, crowdedTx } from '../platform/chains/crowded-block';
import { AMPLE_MS, EvmStage, status } from '../platform/chains/evm-stage';
import { rpcBlock, type Behaviour } from '../platform/chains/scripted-provider';
import { ADDRESS, PaymentFixture } from '../support/payment-fixture';

const START = 100;
const FIRST_TIME_S = 1_790_000_000;
const BLOCK_MS = 500;

/** A provider's answer in place of an honest one; undefined where it is honest. */
export type Fault = (...asked: Parameters<Behaviour>) => ReturnType<Behaviour> | undefined;

export const honest: Fault = () => undefined;

/** Heights that a question of a provider is about; null where it names none. */
export function heightsOf(method: string, [first]: readonly unknown[]): readonly [number, number] | null {
  if (method.startsWith('eth_getBlock')) {
    const height = Number(first);
    return Number.isNaN(height) ? null : [height, height];
  }
  if (method !== 'eth_getLogs') return null;
  const { blockHash, fromBlock, toBlock } = first as { blockHash?: string; fromBlock: string; toBlock: string };
  return blockHash === undefined ? [Number(fromBlock), Number(toBlock)] : [Number(blockHash), Number(blockHash)];
}

/** A network of two blocks a second by scripted providers, with two transfers to a watched address in one block. */
export class LackingStage {
  head = START;
  /** While false, every provider is honest. */
  isFaulty = true;
  /** The answer of every provider to everything. */
  outage: Behaviour | null = null;
  /** The place of the provider that answers nothing. */
  away: number | null = null;
  readonly stage = new EvmStage();
  fixture!: PaymentFixture;
  watcher!: NetworkWatcher;
  chain!: Chain;
  private readonly crowded: CrowdedNode;

  constructor(
    private readonly mode: Mode,
    readonly paidAt: number,
  ) {
    const paid = { transfers: [{ to: ADDRESS, value: 10n ** 18n }], junk: 2 };
    const transactions = [paid, paid];
    this.crowded = new CrowdedNode({ height: paidAt, contract: TOKENS['usdt-bnb'].contract[mode], transactions });
  }

  async begin(faults: readonly Fault[]): Promise<void> {
    const { mode, stage } = this;
    const providers = await Promise.all(faults.map((fault, place) => stage.provider(this.node(fault, place))));
    this.chain = stage.chainOf(providers, AMPLE_MS, mode);
    this.fixture = new PaymentFixture({ mode, network: 'bnb', chain: this.chain, clock: stage.clock });
    stage.clock.timeMs = FIRST_TIME_S * 1_000 + START * BLOCK_MS;
    this.watcher = await this.fixture.watcher();
    await this.watcher.tick();
  }

  /** The first of the two transactions. */
  readonly paidIn = crowdedTx(0);

  timeOf(height: number): number {
    return Math.floor(FIRST_TIME_S + (height * BLOCK_MS) / 1_000) * 1_000;
  }

  /** One tick after so many blocks; answers the fault that ended it. */
  async tick(blocks = 10): Promise<unknown> {
    this.head += blocks;
    this.stage.clock.timeMs += blocks * BLOCK_MS;
    return this.watcher.tick().then(
      () => null,
      (error: unknown) => error,
    );
  }

  async lag(): Promise<number> {
    return this.head - ((await this.fixture.coverage())?.number ?? 0);
  }

  stop(): Promise<void> {
    return this.stage.stop();
  }

  private blockAt(height: number) {
    if (height > this.head) return null;
    const transactions = this.receiptsAt(height).map(({ transactionHash }) => transactionHash);
    return { ...rpcBlock(height, this.timeOf(height) / 1_000), transactions };
  }

  /** A block that holds no transfer to a watched address holds one transaction of no logs. */
  private receiptsAt(height: number): readonly { readonly transactionHash: string }[] {
    if (height === this.paidAt) return this.crowded.receipts;
    const { number: blockNumber, hash: blockHash } = rpcBlock(height);
    const transactionHash = `0x${height.toString(16).padStart(64, 'd')}`;
    const empty = { transactionHash, status: '0x1', blockNumber, blockHash, logs: [] };
    return [empty];
  }

  private node(fault: Fault, place: number): Behaviour {
    return (method, params, response) => {
      const [first] = params;
      if (this.outage) return this.outage(method, params, response);
      if (this.away === place) return status(503)(method, params, response);
      // The first question of a watched network is answered by all.
      const instead = this.isFaulty && this.head > START ? fault(method, params, response) : undefined;
      if (instead !== undefined) return instead;
      if (method === 'eth_chainId') return { result: this.mode === 'live' ? '0x38' : '0x61' };
      if (method === 'eth_getBlockByNumber') {
        const tagged: Record<string, number> = { latest: this.head, finalized: this.head - 2 };
        return { result: this.blockAt(tagged[first as string] ?? Number(first)) };
      }
      if (method === 'eth_getBlockByHash') return { result: this.blockAt(Number(first)) };
      if (method === 'eth_getBlockReceipts') return { result: this.receiptsAt(Number(first)) };
      return this.crowded.behaviour(method, params, response);
    };
  }
}
