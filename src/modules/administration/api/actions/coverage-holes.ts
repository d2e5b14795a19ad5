import { Reason } from '../../../../platform/http/fields/admin-fields';
import { refuse } from '../../../../vocabulary/errors';
import { CloseCoverageHole } from '../../../coverage/close-coverage-hole.command';
import { coverageHolesReadModel, type CoverageHoleDocument } from '../../../coverage/coverage-holes.read-model';
import { adminAction, ApprovedBody, inMode, row, type ActionReads } from '../admin-action';
import { placeIn, type PlaceInLog } from '../place-in-log';

class CloseCoverageHoleDto extends ApprovedBody {
  @Reason()
  reason!: string;
}

type FoundHole = PlaceInLog & { readonly hole: CoverageHoleDocument };

/** A hole is named by its stream, as `quittance coverage` shows it. Throws Refusal resource_missing. */
async function findHole({ find }: ActionReads, name: string): Promise<FoundHole> {
  const place = placeIn('coverage_hole', name);
  const found = place && (await find(coverageHolesReadModel, [place.mode], place.stream));
  if (!place || !found) throw refuse('resource_missing', { message: 'No such hole was ever opened.' });
  return { ...place, hole: found.body };
}

export const closeCoverageHole = adminAction({
  permission: 'coverage.close',
  path: 'coverage_holes/:id/close',
  summary: 'Give up blocks that were passed unread',
  body: CloseCoverageHoleDto,
  refuses: ['resource_missing', 'invalid_reason', 'invalid_state_transition'],
  isTarget: target => placeIn('deferred_transfer', target) === null,
  look: (reads, { target }) => findHole(reads, target),
  refuseUnfit: ({ hole }) => {
    if (hole.status !== 'open')
      throw refuse('invalid_state_transition', { message: `The hole is ${hole.status} already.` });
  },
  difference: ({ hole }, { reason }) => [
    row('status', hole.status, 'closed'),
    row('blocks', `${hole.block_number} to ${hole.to_number}`, null),
    row('reason', null, reason),
  ],
  words: ({ mode, hole: { network_id: network, block_number: from, to_number: to } }) => ({
    does: 'Lets the deadlines pass that wait for these blocks. Nobody reads the blocks any more.',
    to: `Blocks ${from} to ${to} of ${network}, ${mode} mode.`,
    cannotUndo: 'A customer who has paid in one of these blocks has to name the transaction.',
  }),
  // The approval is the beginning of its command, and was given to the blocks of that moment.
  command: async ({ facts, body, execution }, reads) => {
    const context = await inMode(reads, execution, { ...facts, merchantId: null });
    return new CloseCoverageHole(facts.stream, body.reason, context.startedAt, context);
  },
});
