import { SECOND_MS } from '../../kernel/clock';
import { streamName } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { NETWORK_IDS, type NetworkId } from '../../vocabulary/networks';
import { coverageHoles } from '../../modules/coverage/coverage-hole.decider';
import { coverageHolesReadModel } from '../../modules/coverage/coverage-holes.read-model';
import { deferredTransfers } from '../../modules/coverage/deferred-transfer.decider';
import { deferredTransfersReadModel } from '../../modules/coverage/deferred-transfers.read-model';
import { isWatched, watchPolicyOf } from '../../platform/config/config';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../watchers/coverage-record';
import { wholeCoverage } from '../../watchers/coverage-report';
import { listSetAside } from '../../watchers/set-aside-lists';
import { table, type Answer } from '../cli-command';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

/** Deferred transfers of a network that are shown; further ones are counted. */
const DEFERRED_SHOWN = 20;
/** Closed holes of a network that are shown, and given-up transfers likewise: those of its highest blocks. */
const CLOSED_SHOWN = 1_000;

type Network = Awaited<ReturnType<typeof coverageOf>>;

export async function report(toolbox: Toolbox): Promise<Answer> {
  const documents = await toolbox.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const networks: Network[] = [];
  for (const { mode, network } of networksOf(toolbox)) {
    const stored = await documents.get(coverageId(mode, network));
    if (stored) networks.push(await coverageOf(toolbox, mode, network, stored.body));
  }
  const isAtFault = networks.some(({ gaps, is_behind }) => gaps.length > 0 || is_behind);
  const lines = networks.length > 0 ? table(networks.map(rowOf)) : ['No network was ever watched.'];
  return {
    json: { networks },
    lines: [...lines, ...networks.flatMap(warningsOf)],
    exitCode: isAtFault ? EXIT_CODES.failed : EXIT_CODES.ok,
  };
}

/** All holes and transfers that were given up for good, the highest blocks of each network first. */
export async function reportClosed(toolbox: Toolbox): Promise<Answer> {
  const closed: Awaited<ReturnType<typeof closedHoles>>[number][] = [];
  const givenUp: Awaited<ReturnType<typeof givenUpTransfers>>[number][] = [];
  for (const { mode, network } of networksOf(toolbox)) {
    closed.push(...(await closedHoles(toolbox, mode, network)));
    givenUp.push(...(await givenUpTransfers(toolbox, mode, network)));
  }
  const lines = [
    ...closed.map(({ hole, closed_at, closed_by, note }) => `closed: ${hole} at ${closed_at} by ${closed_by}: ${note}`),
    ...givenUp.map(
      ({ transfer, given_up_at, given_up_by, reason }) =>
        `given up: ${transfer} at ${given_up_at} by ${given_up_by}: ${reason}`,
    ),
  ];
  return { json: { closed, given_up: givenUp }, lines: lines.length > 0 ? lines : ['Nothing was ever given up.'] };
}

function networksOf({ config }: Toolbox): readonly { readonly mode: Mode; readonly network: NetworkId }[] {
  return config.modes.flatMap(mode => NETWORK_IDS.map(network => ({ mode, network })));
}

function rowOf(each: Network): readonly string[] {
  const { mode, network, instance, ranges, providers, gaps } = each;
  return [
    `${mode} ${network}`,
    instance,
    ranges === 0 ? 'no range sealed yet' : `${ranges} ranges`,
    `${each.from_number}..${each.cursor}`,
    `head ${each.head} as told ${seconds(each.head_age_ms)} ago`,
    `${each.lag_blocks} blocks below it, ${seconds(each.lag_ms)} behind`,
    ...(providers.length > 0 ? [`by ${providers.join(', ')}`] : []),
    gaps.length > 0 ? gaps.map(gap => `${gap.kind} ${gap.from_number}..${gap.to_number}`).join(', ') : 'no gap',
  ];
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}

function warningsOf({ holes, deferred, is_behind, is_waiting, mode, network }: Network): readonly string[] {
  const hidden = deferred.length - DEFERRED_SHOWN;
  return [
    ...(is_behind ? [`${mode} ${network}: behind, so it takes no new quotes`] : []),
    ...(is_waiting ? [`${mode} ${network}: nothing more can be set aside, so scanning waits`] : []),
    ...holes.map(({ hole, reason, block_time }) => `unread: ${hole} (${reason}, of ${block_time})`),
    ...deferred.slice(0, DEFERRED_SHOWN).map(({ transfer, fault }) => `deferred: ${transfer} (${fault})`),
    ...(hidden > 0 ? [`and ${hidden} more deferred transfers`] : []),
  ];
}

async function coverageOf(toolbox: Toolbox, mode: Mode, network: NetworkId, body: CoverageDocument) {
  const { config } = toolbox;
  const policy = watchPolicyOf(config, mode, network);
  const reported = { mode, network, policy, isWatched: isWatched(config, mode, network) };
  return wholeCoverage(toolbox, reported, body, await listSetAside(toolbox.readModels, reported));
}

async function closedHoles({ readModels }: Toolbox, mode: Mode, network: NetworkId) {
  const query = endedOnes(mode, network, 'closed');
  return (await readModels.list(coverageHolesReadModel, query)).flatMap(({ id, body }) => {
    const { block_number, to_number, block_time, reason: fault, closing } = body;
    if (closing === null) return [];
    const hole = streamName(mode, coverageHoles.category, id);
    const { note, closed_by, at } = closing;
    return [{ hole, block_number, to_number, block_time, fault, note, closed_by, closed_at: at }];
  });
}

async function givenUpTransfers({ readModels }: Toolbox, mode: Mode, network: NetworkId) {
  const query = endedOnes(mode, network, 'given_up');
  return (await readModels.list(deferredTransfersReadModel, query)).flatMap(({ id, body }) => {
    const { block_number, tx_hash, ordinal, to, value_base_units, fault, giving_up } = body;
    if (giving_up === null) return [];
    const transfer = streamName(mode, deferredTransfers.category, id);
    const { reason, given_up_by, at } = giving_up;
    const facts = { transfer, block_number, tx_hash, ordinal, to, value_base_units, fault };
    return [{ ...facts, reason, given_up_by, given_up_at: at }];
  });
}

function endedOnes(mode: Mode, network: NetworkId, status: string) {
  const equals = { mode, network_id: network, status };
  return { index: 'by_block', equals, descending: true, limit: CLOSED_SHOWN };
}
