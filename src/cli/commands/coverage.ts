import { Command } from 'commander';
import { parseIsoTime } from '../../kernel/clock';
import type { Mode } from '../../kernel/event';
import { NETWORK_IDS, type NetworkId } from '../../kernel/tokens';
import { findGaps } from '../../modules/coverage/coverage-gaps';
import { CoverageHistory } from '../../watchers/coverage-history';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../watchers/coverage-ledger';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

export function coverageCommand(session: Session): Command {
  return new Command('coverage')
    .description('Which blocks of which chains were scanned, and whether any was left out. Fails when one was.')
    .addHelpText('after', example('coverage'))
    .action((_: object, command: Command) => perform(session, command, report));
}

async function report(toolbox: Toolbox): Promise<Answer> {
  const documents = await toolbox.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const networks = [];
  for (const mode of toolbox.config.modes) {
    for (const network of NETWORK_IDS) {
      const stored = await documents.get(coverageId(mode, network));
      if (stored) networks.push(await coverageOf(toolbox, mode, network, stored.body));
    }
  }
  const rows = networks.map(each => [
    `${each.mode} ${each.network}`, each.instance, `${each.ranges} ranges`, `${each.from_number}..${each.cursor}`, `head ${each.head}`,
    `${each.lag_blocks} blocks, ${Math.round(each.lag_ms / 1_000)} s behind`, `by ${each.providers.join(', ')}`,
    each.gaps.length > 0 ? each.gaps.map(gap => `${gap.kind} ${gap.from_number}..${gap.to_number}`).join(', ') : 'no gap',
  ]); // prettier-ignore
  const hasGaps = networks.some(({ gaps }) => gaps.length > 0);
  const lines = rows.length > 0 ? table(rows) : ['No network was ever watched.'];
  return { json: { networks }, lines, exitCode: hasGaps ? EXIT_CODES.failed : EXIT_CODES.ok };
}

async function coverageOf({ writes, clock }: Toolbox, mode: Mode, network: NetworkId, body: CoverageDocument) {
  const { instance, number, sealed_to, head_number, covered_until } = body;
  const history = new CoverageHistory(mode, network, instance, writes);
  const events = await history.events(sealed_to);
  const start = await history.start();
  return {
    mode,
    network,
    instance,
    /** All that were ever asked. */
    providers: [...new Set(events.flatMap(({ type, data }) => (type === 'CoverageStarted' ? [] : data.providers)))],
    ranges: events.filter(({ type }) => type === 'CoverageSealed').length,
    from_number: (start?.number ?? sealed_to) + 1,
    sealed_to,
    cursor: number,
    head: head_number,
    lag_blocks: Math.max(0, head_number - number),
    lag_ms: Math.max(0, clock.now() - parseIsoTime(covered_until)),
    gaps: findGaps(events, sealed_to),
  };
}
