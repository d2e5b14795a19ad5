import { Command } from 'commander';
import { composeGivingUp } from '../../composition/matching';
import { refuse } from '../../vocabulary/errors';
import { parseStreamName } from '../../kernel/event';
import type { Mode } from '../../vocabulary/modes';
import { closeCoverageHole } from '../../modules/administration/api/actions/coverage-holes';
import { giveUpDeferredTransfer } from '../../modules/administration/api/actions/deferred-transfers';
import { coverageHoles } from '../../modules/coverage/coverage-hole.decider';
import { deferredTransfers } from '../../modules/coverage/deferred-transfer.decider';
import { actOrPropose } from '../act-or-propose';
import { example, perform, type Answer, type Session } from '../cli-command';
import { operatorContext } from '../operator-context';
import type { Toolbox } from '../toolbox';
import { report, reportClosed } from './coverage-report';

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
      'Which blocks of which chains were scanned, whether any was left out, and what is set aside. ' +
        'Fails when a block was left out or passed unread, and when a network is more than 5 minutes behind.',
    )
    .option('--closed', 'instead, what was given up for good: by whom, when and why')
    .addHelpText('after', example('coverage'))
    .action(({ closed }: { readonly closed?: boolean }, command: Command) =>
      perform(session, command, closed === true ? reportClosed : report),
    );
  coverage
    .command('close')
    .description(
      'Gives up for good a block that was passed unread. Deadlines that wait for the block pass. A customer who paid in the block has to name the transaction.',
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

/** Throws Refusal parameter_invalid, resource_missing, invalid_reason or invalid_state_transition. */
function close(toolbox: Toolbox, hole: string, note: string): Promise<Answer> {
  return actOrPropose(toolbox, { action: closeCoverageHole, id: hole, body: { reason: note } }, async () => {
    const { mode, id } = setAsideStream(hole, HOLE);
    const context = { ...operatorContext(toolbox), universe: mode };
    await toolbox.writes.execute(coverageHoles, id, { type: 'close', note }, context);
    return { json: { closed: hole, note: note.trim() }, lines: [`${hole} is closed, unread.`] };
  });
}

/** Throws Refusal parameter_invalid, resource_missing, invalid_reason or invalid_state_transition. */
function giveUp(toolbox: Toolbox, transfer: string, text: string): Promise<Answer> {
  const sent = { action: giveUpDeferredTransfer, id: transfer, body: { reason: text } };
  return actOrPropose(toolbox, sent, async () => {
    const { mode, id } = setAsideStream(transfer, DEFERRAL);
    const context = { ...operatorContext(toolbox), universe: mode };
    const isQueued = await composeGivingUp(toolbox).giveUp(id, text, context);
    const reason = text.trim();
    const place = isQueued
      ? 'The transfer lies in the unmatched queue.'
      : 'The queue cannot take the transfer: its transaction must be named.';
    return { json: { given_up: transfer, reason, queued: isQueued }, lines: [`${transfer} waits no more.`, place] };
  });
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
