import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock';
import type { ChainOutside, Outside } from './outside';
import type { Payers } from './payers';
import type { Prng } from './prng';
import { NO_NODE_FAULTS, type NodeFaults, type Question } from './simulated-node';

/** The latest time that a provider can tell. */
const LATEST_MS = 99_999_999_999_000;
/** Deeper than anything that is looked for block by block. */
const FAR_BEHIND_BLOCKS = 900;
type Clock = NonNullable<NodeFaults['clock']>;

const DEAF_TO: readonly (readonly Question[])[] = [
  ['receipt'],
  ['block', 'range'],
  ['range'],
  ['header'],
  ['finality'],
];

/** Sets of failing questions. Each set has a question by which a block's transfers are read for good. */
const DEAF_TO_BLOCKS: readonly (readonly Question[])[] = [
  ['block', 'range'],
  ['block', 'range'],
  ['header'],
  ['range'],
];

/** Troubles of one provider while the others of its network are well. */
export class ProviderTroubles {
  constructor(
    private readonly outside: Outside,
    private readonly payers: Payers,
    private readonly prng: Prng,
  ) {}

  begin(): void {
    const { prng } = this;
    const outside = prng.pick(this.outside.chains);
    const alone = prng.chance(15) ? { hiding: prng.below(60) } : null;
    outside.faults.alone ??= alone;
    this.failOne(outside, outside.faults.alone ? 0 : prng.below(this.outside.setting.nodes));
  }

  failOne(outside: ChainOutside, node: number): void {
    const { prng } = this;
    const troubles: readonly (() => Partial<NodeFaults>)[] = [
      () => ({ deaf: this.deaf(null) }),
      () => ({ deaf: this.deaf(this.aBlock(outside)) }),
      () => ({ clock: this.clock(outside) }),
      () => ({ clock: this.clock(outside) }),
      () => ({ finality: { behindBlocks: prng.below(FAR_BEHIND_BLOCKS), standsAt: Infinity } }),
      () => ({ finality: { behindBlocks: 0, standsAt: outside.chain.height } }),
    ];
    Object.assign(outside.nodes[node] ?? {}, prng.pick(troubles)());
  }

  /** All but one provider, of two or of three, do not tell of the block that comes next. */
  fallDeafToNext(outside: ChainOutside): void {
    const heard = this.prng.below(this.outside.setting.nodes);
    const isGarbled = this.prng.chance(40);
    const deaf = { to: this.prng.pick(DEAF_TO_BLOCKS), height: outside.chain.height + 1, isGarbled };
    for (const [index, node] of outside.nodes.entries()) if (index !== heard) node.deaf = deaf;
  }

  /** The others are away, and the first one tells other times from the next block on. */
  leaveOneByItsClock(outside: ChainOutside): void {
    const [node] = outside.nodes;
    outside.faults.alone = { hiding: this.prng.chance(50) ? this.prng.below(101) : 0 };
    const aheadMs = (1 + this.prng.below(30)) * MINUTE_MS;
    const clock = this.prng.chance(30) ? this.clock(outside) : { timeMs: (trueMs: number) => trueMs + aheadMs };
    if (node) node.clock = { ...clock, from: outside.chain.height, to: Infinity };
  }

  end(): void {
    for (const { nodes, faults } of this.outside.chains) {
      for (const node of nodes) Object.assign(node, NO_NODE_FAULTS);
      faults.alone = null;
    }
  }

  private deaf(height: number | null): NodeFaults['deaf'] {
    return { to: this.prng.pick(DEAF_TO), height, isGarbled: this.prng.chance(40) };
  }

  /** The block of the newest payment, or the next one. */
  private aBlock(outside: ChainOutside): number {
    const { height } = outside.chain;
    const since = this.payers.blocksSinceLastPayment(outside);
    return since !== null && this.prng.chance(60) ? height - since + 1 : height + 1 + this.prng.below(3);
  }

  /** Some minutes or days off, or absurd; of a few blocks, or of all from now on. */
  private clock(outside: ChainOutside): Clock {
    const { prng } = this;
    const from = this.aBlock(outside);
    const to = prng.chance(50) ? Infinity : from + prng.below(20);
    const offMs = (prng.chance(60) ? MINUTE_MS : DAY_MS) * (1 + prng.below(60)) * (prng.chance(65) ? 1 : -1);
    const absurdMs = prng.pick([0, 1_000, LATEST_MS]);
    const isAbsurd = prng.chance(20);
    return { from, to, timeMs: trueMs => (isAbsurd ? absurdMs : Math.max(0, trueMs + offMs)) };
  }
}
