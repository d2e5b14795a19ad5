import { Command } from 'commander';
import { parseIsoTime } from '../../kernel/clock';
import { refuse } from '../../kernel/errors';
import { parseStreamName, streamName, type Mode } from '../../kernel/event';
import { outageOf } from '../../kernel/outage';
import { NETWORK_IDS, TOKENS, type NetworkId } from '../../kernel/tokens';
import { coverageHoles } from '../../modules/coverage/coverage-hole.decider';
import { findGaps } from '../../modules/coverage/coverage-gaps';
import { deferredTransfers } from '../../modules/coverage/deferred-transfer.decider';
import type { TransferDeferred } from '../../modules/coverage/deferred-transfer.events';
import { isLocalChain } from '../../networks';
import { composeOperatorMail } from '../../notices';
import { TransferMatching } from '../../processes/matching/transfer-matching';
import { CoverageHistory } from '../../watchers/coverage-history';
import { COVERAGE_COLLECTION, coverageId, type CoverageDocument } from '../../watchers/coverage-record';
import { DEFERRED_LIMIT, HOLES_LIMIT, SetAside } from '../../watchers/set-aside';
import { example, perform, table, type Answer, type Session } from '../cli-command';
import { operatorContext } from '../operator-context';
import { EXIT_CODES } from '../terminal';
import type { Toolbox } from '../toolbox';

/** Deferred transfers of a network that are shown; the rest are counted. */
const DEFERRED_SHOWN = 20;

const HOLE = {
  category: coverageHoles.category,
  param: 'hole',
  message: 'A hole is named such as live.coverage_hole-bnb:56:…; `coverage` shows those that are open.',
} as const;
const DEFERRAL = {
  category: deferredTransfers.category,
  param: 'transfer',
  message: 'A deferred transfer is named such as live.deferred_transfer-bnb:0x…; `coverage` shows those that wait.',
} as const;

export function coverageCommand(session: Session): Command {
  const coverage = new Command('coverage')
    .description(
      'Which blocks of which chains were scanned, whether any was left out, and what is set aside. Fails when a block was left out or passed unread.',
    )
    .addHelpText('after', example('coverage'))
    .action((_: object, command: Command) => perform(session, command, report));
  coverage
    .command('close')
    .description(
      'Gives a block up that was passed unread: deadlines that wait for it pass. Whoever paid in it has to name the transaction. For good.',
    )
    .argument('<hole>', 'as `coverage` shows it')
    .requiredOption('--note <text>', 'why; the log keeps it')
    .addHelpText('after', example('coverage close live.coverage_hole-bnb:56:… --note "the provider lost it"'))
    .action((hole: string, { note }: { readonly note: string }, command: Command) =>
      perform(session, command, toolbox => close(toolbox, hole, note)),
    );
  coverage
    .command('give-up')
    .description(
      'Ends, for good, the wait of a transfer that could not be placed, and puts it into the queue. Deadlines pass.',
    )
    .argument('<transfer>', 'as `coverage` shows it')
    .requiredOption('--reason <text>', 'why; the log keeps it')
    .addHelpText('after', example('coverage give-up live.deferred_transfer-bnb:0x… --reason "its payment is damaged"'))
    .action((transfer: string, { reason }: { readonly reason: string }, command: Command) =>
      perform(session, command, toolbox => giveUp(toolbox, transfer, reason)),
    );
  return coverage;
}

type Network = Awaited<ReturnType<typeof coverageOf>>;

async function report(toolbox: Toolbox): Promise<Answer> {
  const documents = await toolbox.documents.open<CoverageDocument>(COVERAGE_COLLECTION);
  const networks: Network[] = [];
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
  return {
    json: { networks },
    lines: [...lines, ...networks.flatMap(setAsideLines)],
    exitCode: hasGaps ? EXIT_CODES.failed : EXIT_CODES.ok,
  };
}

function setAsideLines({ holes, deferred, is_waiting, mode, network }: Network): readonly string[] {
  const hidden = deferred.length - DEFERRED_SHOWN;
  return [
    ...(is_waiting ? [`${mode} ${network}: nothing more can be set aside, so scanning waits`] : []),
    ...holes.map(({ hole, reason, block_time }) => `unread: ${hole} (${reason}, of ${block_time})`),
    ...deferred.slice(0, DEFERRED_SHOWN).map(({ transfer, fault }) => `deferred: ${transfer} (${fault})`),
    ...(hidden > 0 ? [`and ${hidden} more deferred transfers`] : []),
  ];
}

async function coverageOf(toolbox: Toolbox, mode: Mode, network: NetworkId, body: CoverageDocument) {
  const { writes, clock } = toolbox;
  const { instance, number, sealed_to, head_number, covered_until, is_waiting } = body;
  const history = new CoverageHistory(mode, network, instance, writes);
  const events = await history.events(sealed_to);
  const start = await history.start();
  const { holes, deferred } = await setAsideOn(toolbox, mode, network, instance);
  const unread = holes.map(({ block_number, to_number }) => ({ from_number: block_number, to_number }));
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
    is_waiting,
    gaps: findGaps(events, sealed_to, unread),
    holes,
    deferred,
  };
}

async function setAsideOn(toolbox: Toolbox, mode: Mode, network: NetworkId, instance: string) {
  const setAside = new SetAside({ ...toolbox, mode, network, instance });
  const holes = await setAside.holes(HOLES_LIMIT);
  const deferred = await setAside.deferred(DEFERRED_LIMIT);
  return {
    holes: holes
      .filter(({ body }) => body.instance === instance)
      .map(({ id, body }) => {
        const { block_number, to_number, block_hash, block_time, reason, tx_hash, opened_at } = body;
        const hole = streamName(mode, coverageHoles.category, id);
        return { hole, block_number, to_number, block_hash, block_time, reason, tx_hash, opened_at };
      }),
    deferred: deferred.map(({ id, body }) => {
      const { block_number, tx_hash, ordinal, to, value_base_units, fault, deferred_at } = body;
      const transfer = streamName(mode, deferredTransfers.category, id);
      return { transfer, block_number, tx_hash, ordinal, to, value_base_units, fault, deferred_at };
    }),
  };
}

/** Throws Refusal parameter_invalid, resource_missing, invalid_reason or invalid_state_transition. */
async function close(toolbox: Toolbox, hole: string, note: string): Promise<Answer> {
  const { mode, id } = setAsideStream(hole, HOLE);
  const context = { ...operatorContext(toolbox), universe: mode };
  await toolbox.writes.execute(coverageHoles, id, { type: 'close', note }, context);
  await (await composeOperatorMail(toolbox)).tellHoleClosed(mode, hole, note.trim());
  return { json: { closed: hole, note: note.trim() }, lines: [`${hole} is closed, unread.`] };
}

/** Throws Refusal parameter_invalid, resource_missing, invalid_reason or invalid_state_transition. */
async function giveUp(toolbox: Toolbox, transfer: string, text: string): Promise<Answer> {
  const { mode, id } = setAsideStream(transfer, DEFERRAL);
  const context = { ...operatorContext(toolbox), universe: mode };
  const command = { type: 'give_up', reason: text } as const;
  const { state } = await toolbox.writes.load(deferredTransfers, mode, id);
  // Refused before anything is written. The queue comes first: a transfer that waits no more must have its place.
  deferredTransfers.decide(command, state, context);
  const isQueued = state.status !== 'none' && (await isPutInQueue(toolbox, mode, state.transfer));
  await toolbox.writes.execute(deferredTransfers, id, command, context);
  const reason = text.trim();
  await (await composeOperatorMail(toolbox)).tellDeferralGivenUp(mode, transfer, reason);
  const place = isQueued
    ? 'It lies in the unmatched queue.'
    : 'The queue cannot take it: its transaction must be named.';
  return { json: { given_up: transfer, reason, queued: isQueued }, lines: [`${transfer} waits no more.`, place] };
}

/**
 * False where a fault of the transfer's own, or a former claim, keeps it out of the queue. Throws what an outage
 * throws.
 */
async function isPutInQueue(toolbox: Toolbox, mode: Mode, deferred: TransferDeferred['data']): Promise<boolean> {
  const { writes, clock, entropy, log, config } = toolbox;
  const token = TOKENS[deferred.token_id];
  const paidAt = isLocalChain(config, mode, token.network) ? deferred.seen_at : deferred.block_time;
  const transfer = {
    txHash: deferred.tx_hash,
    ordinal: deferred.ordinal,
    contract: token.contract[mode],
    from: deferred.from,
    to: deferred.to,
    valueBaseUnits: BigInt(deferred.value_base_units),
    blockNumber: deferred.block_number,
    blockHash: deferred.block_hash,
  };
  const block = { timeMs: parseIsoTime(deferred.block_time) };
  const sighting = { mode, token, transfer, block, paidAtMs: parseIsoTime(paidAt) };
  try {
    await new TransferMatching(writes, clock, entropy, log).queue(sighting, 'given_up');
    return true;
  } catch (error) {
    if (outageOf(error) !== null) throw error;
    log.warn({ mode, tx_hash: deferred.tx_hash, err: error }, 'the queue cannot take the transfer');
    return false;
  }
}

function setAsideStream(
  text: string,
  form: typeof HOLE | typeof DEFERRAL,
): { readonly mode: Mode; readonly id: string } {
  const { param, message } = form;
  try {
    const { universe: mode, category, id } = parseStreamName(text);
    if (mode !== 'platform' && category === form.category) return { mode, id };
  } catch (cause) {
    throw refuse('parameter_invalid', { param, message, cause });
  }
  throw refuse('parameter_invalid', { param, message });
}
