import type { RangeReading } from '../../src/kernel/ports/chain';
import { TOKENS, type Token } from '../../src/vocabulary/tokens';
import type { Dialect } from '../../src/platform/chains/providers/dialect';
import { PooledChain } from '../../src/platform/chains/providers/pooled-chain';
import type { Log } from '../../src/kernel/ports/log';
import type { ChainView } from './chain-view';
import { spring, type ProcessChain } from './simulated-chain';
import { SimulatedNode, type NodeParts } from './simulated-node';

/** A network's providers behind the real pool: the pool has to find the faults of each. */
export class SimulatedPool extends PooledChain<SimulatedNode> implements ProcessChain {
  constructor(
    private readonly surroundings: NodeParts,
    private readonly nodes: readonly SimulatedNode[],
    log: Log,
  ) {
    const { outside, scheduler, life } = surroundings;
    super(dialectOf(outside.network), nodes, { mode: 'live', urls: [], log, clock: scheduler.clockOf(life) });
  }

  static of(parts: NodeParts, count: number, log: Log): SimulatedPool {
    const nodes = Array.from({ length: count }, (_, index) => new SimulatedNode(parts, index));
    return new SimulatedPool(parts, nodes, log);
  }

  get outside() {
    return this.surroundings.outside;
  }

  stayBehind(view: ChainView | null): void {
    for (const node of this.nodes.slice(0, 1)) node.behind = view;
  }

  override async transfersInRange(
    from: number,
    to: number,
    contract: string,
    recipients: readonly string[],
  ): Promise<RangeReading> {
    const reading = await super.transfersInRange(from, to, contract, recipients);
    spring(this.outside, from, to);
    return reading;
  }
}

function dialectOf(network: Token['network']): Dialect<SimulatedNode> {
  const tokens = Object.values(TOKENS).filter(token => token.network === network);
  return {
    network,
    chain: network,
    tokenStandard: 'simulated',
    serves: () => Promise.resolve(true),
    decimalsOf: (_node, contract) => {
      const token = tokens.find(each => each.contract.live === contract);
      return Promise.resolve(token ? BigInt(token.decimals) : null);
    },
    headOf: node => node.head(),
    headerAt: (node, height) => node.headerAt(height),
    finalizedOf: node => node.finalizedHeight(),
    scan: (node, contract, recipients, side) => ({
      inBlock: hash => node.inBlock(hash, contract, recipients),
      inRange: (from, to) =>
        side === 'either'
          ? node.movements(from, to, contract, recipients)
          : node.inRange(from, to, contract, recipients),
    }),
    receiptOf: (node, txHash, contracts, recipients) => node.receipt(txHash, contracts, recipients),
    // No contract is called here: the outside decides who is screened.
    contractAnswer: () => Promise.resolve(null),
    balanceOf: (node, contract, owner, block) => node.balance(contract, owner, block),
  };
}
