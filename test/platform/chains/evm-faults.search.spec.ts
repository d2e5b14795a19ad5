import http from 'node:http';
import { SECOND_MS } from '../../../src/kernel/clock';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { BlockReading } from '../../../src/kernel/ports/chain';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { searchSize } from '../../levels/search-size';
import { ManualClock } from '../../support/manual-clock';
import { Prng } from '../../simulation/prng';
import { RecordingLog } from '../../support/fixture-doubles';
import { FAULTS, FaultyNetwork, LOUD_FAULTS, MadeChain, QUIET_BLOCKS, type FaultyProvider } from './faulty-providers';

const CONTRACT = TOKENS['usdt-bnb'].contract.live;
const RECIPIENTS = ['0x000000000000000000000000000000000000bEEF', '0x000000000000000000000000000000000000dEaD'];
const SEED = 1;
const BLOCKS = searchSize('FAULTY_BLOCKS', { small: 90, full: 5_000 });
const DEPTH = 15;
const AGREED_BLOCKS = 100;
const STEP_BLOCKS = 8;
const TIMEOUT_MS = 5;
const LIMIT_MS = 600_000;
const MOST_STEPS_PER_BLOCK = 20;

/** Reads a chain as a watcher does: each block by its hash as it comes, and once more by range when it is final. */
class Reader {
  readonly seen = new Map<string, string>();
  readonly hashes: string[];
  readonly holes = new Set<string>();
  agreedTo = 0;
  refusals = 0;
  private final = 0;

  constructor(
    private readonly chain: EvmChain,
    genesis: string,
    /** The height at which the reading stops. */
    private readonly most: number,
  ) {
    this.hashes = [genesis];
  }

  async step(): Promise<void> {
    await this.attempt(async () => {
      const head = await this.chain.head();
      const finalized = await this.chain.finalizedHeight();
      this.final = Math.min(finalized, head.number - DEPTH);
      while (this.hashes.length <= head.number) await this.readNext();
    });
    await this.attempt(() => this.agree());
    for (const hash of this.holes) await this.attempt(() => this.close(hash));
  }

  private async close(hash: string): Promise<void> {
    const reading = await this.chain.transfersInBlock(hash, CONTRACT, RECIPIENTS);
    if (reading.unread.length > 0) return;
    this.holes.delete(hash);
    this.see(reading);
  }

  private async attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!isRefusal(error) || !error.code.startsWith('provider_')) throw error;
      this.refusals += 1;
    }
  }

  private async readNext(): Promise<void> {
    const height = this.hashes.length;
    const block = await this.chain.blockAt(height);
    if (block === null) return;
    expect(block.parentHash).toBe(this.hashes[height - 1]);
    this.see(await this.chain.transfersInBlock(block.hash, CONTRACT, RECIPIENTS));
    this.hashes.push(block.hash);
  }

  private async agree(): Promise<void> {
    const to = Math.min(this.final, this.hashes.length - 1, this.agreedTo + AGREED_BLOCKS, this.most);
    if (to === this.agreedTo || to - this.agreedTo < Math.min(AGREED_BLOCKS, this.most - this.agreedTo)) return;
    this.see(await this.chain.transfersInRange(this.agreedTo + 1, to, CONTRACT, RECIPIENTS));
    const agreed = await this.chain.agreedHash(to);
    expect([null, this.hashes[to]]).toContain(agreed);
    if (agreed !== null) this.agreedTo = to;
  }

  /** A block that is unread is read again, apart from the others. */
  private see({ transfers, unread }: BlockReading): void {
    for (const { txHash, ordinal, to, valueBaseUnits, blockNumber } of transfers) {
      this.seen.set(`${txHash}:${ordinal}`, `${valueBaseUnits} to ${to} in ${blockNumber}`);
    }
    for (const { hash } of unread) this.holes.add(hash);
  }
}

type Scenario = {
  readonly name: string;
  readonly blocks: number;
  readonly providers: (
    truth: MadeChain,
    other: (family: string) => MadeChain,
  ) => Readonly<Record<string, FaultyProvider>>;
};

const failing = (chain: MadeChain, faults = FAULTS as FaultyProvider['faults']) => ({ chain, faults, percent: 30 });

const scenarios: Scenario[] = [
  {
    name: 'three that fail in every way at 30 % of calls, and one of another chain',
    blocks: BLOCKS,
    providers: truth => ({
      other: { ...failing(truth), chainId: '0x61' },
      a: failing(truth),
      b: failing(truth),
      c: failing(truth),
    }),
  },
  {
    name: 'one of three on a fork of its own, the others failing in every way',
    blocks: Math.min(500, BLOCKS),
    providers: (truth, other) => ({
      liar: { ...failing(other('7')), percent: 0 },
      a: failing(truth),
      b: failing(truth),
    }),
  },
  {
    name: 'one of three with the right blocks and wrong transfers, the others failing where it shows',
    blocks: Math.min(500, BLOCKS),
    providers: (truth, other) => ({
      liar: { ...failing(other('1')), percent: 0 },
      a: failing(truth, LOUD_FAULTS),
      b: failing(truth, LOUD_FAULTS),
    }),
  },
];

describe.each(scenarios)('$name', ({ blocks, providers }) => {
  test(
    'the transfers found are exactly those made',
    async () => {
      const prng = new Prng(SEED);
      const made: MadeChain[] = [];
      const makeChain = (family: string) => {
        const chain = new MadeChain({ prng, blocks, contract: CONTRACT, recipients: RECIPIENTS, family });
        made.push(chain);
        return chain;
      };
      const truth = makeChain('1');
      const network = new FaultyNetwork(prng, providers(truth, makeChain));
      http.request = network.request as never;
      const clock = new ManualClock(1_790_000_000_000);
      const log = new RecordingLog();
      const options = { network: 'bnb', mode: 'live', timeoutMs: TIMEOUT_MS, clock, log } as const;
      const reader = new Reader(
        new EvmChain({ ...options, urls: network.urls }),
        truth.hashAt(0),
        blocks - QUIET_BLOCKS,
      );

      const isDone = () => reader.agreedTo === blocks - QUIET_BLOCKS && reader.holes.size === 0;
      for (let step = 0; !isDone() && step < blocks * MOST_STEPS_PER_BLOCK; step++) {
        for (const chain of made) chain.head = Math.min(blocks, chain.head + STEP_BLOCKS);
        clock.timeMs += SECOND_MS;
        await reader.step();
      }

      const expected = truth.transfers.map(made => [
        `${made.txHash}:${made.ordinal}`,
        `${made.value} to ${made.to} in ${made.height}`,
      ]);
      expect([...reader.seen].sort()).toEqual(expected.sort());
      expect([...reader.holes]).toEqual([]);
      expect(reader.agreedTo).toBe(blocks - QUIET_BLOCKS);
      expect(reader.hashes).toEqual(reader.hashes.map((_, height) => truth.hashAt(height)));
      expect(reader.refusals).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});

// A spy would keep every answer of hundreds of thousands.
const { request } = http;
afterEach(() => {
  http.request = request;
});
