import { NETWORK_IDS, NETWORKS, type FinalityRule, type NetworkId } from '../../src/vocabulary/networks';

const HEADERS = ['Network', 'Mode', 'Quote', 'Confirmations', 'Block is final', 'Else', 'Second receipt'];

function row(network: string, mode: string, size: string, rule: FinalityRule): string {
  const { confirmations, finalized, confirmationsUnfinalized, secondReceipt } = rule;
  const instead = confirmationsUnfinalized === null ? '' : String(confirmationsUnfinalized);
  const cells = [network, mode, size, confirmations, yesNo(finalized), instead, yesNo(secondReceipt)];
  return `| ${cells.join(' | ')} |`;
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

function rowsOf(id: NetworkId): readonly string[] {
  const { name, finality } = NETWORKS[id];
  return (['live', 'test'] as const).flatMap(mode => {
    const { standard, large } = finality[mode];
    if (standard === large) return [row(name, mode, 'any', standard)];
    return [row(name, mode, 'standard', standard), row(name, mode, 'large', large)];
  });
}

/** The depths at which a transfer counts, by network, mode and size of the quote, in Markdown. */
export function depthTable(): string {
  return [`| ${HEADERS.join(' | ')} |`, `|${'---|'.repeat(HEADERS.length)}`, ...NETWORK_IDS.flatMap(rowsOf)].join('\n');
}

/** The blocks within which a vanished transaction may come back, by network, in Markdown. */
export function returnTable(): string {
  const rows = NETWORK_IDS.map(id => {
    const { name, reinclusionBlocks, reinclusionBlocksUnfinalized } = NETWORKS[id];
    return `| ${name} | ${reinclusionBlocks} | ${reinclusionBlocksUnfinalized} |`;
  });
  return ['| Network | Blocks | While nothing is finalized |', '|---|---|---|', ...rows].join('\n');
}
