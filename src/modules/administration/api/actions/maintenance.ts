import { Reason } from '../../../../platform/http/fields/admin-fields';
import { RebuildReadModel, ReplayParkedMessages } from '../../../system/maintenance.command';
import { adminAction } from '../admin-action';

class MaintenanceDto {
  @Reason()
  reason!: string;
}

const REFUSES = ['resource_missing', 'invalid_reason', 'invalid_state_transition'] as const;

export const replayParked = adminAction({
  permission: 'system.operate',
  path: 'system/groups/:id/replay',
  summary: 'Have parked messages of a group tried anew',
  body: MaintenanceDto,
  refuses: REFUSES,
  look: async () => ({}),
  difference: () => [],
  words: (_, { target }) => ({
    does: 'Tries each parked message of the group anew. A message that fails again is parked again.',
    to: `The group ${target}, in both modes.`,
    cannotUndo: 'What the messages lead to, such as webhooks and mails that are sent.',
  }),
  command: async ({ target, body, execution }) => new ReplayParkedMessages(target, body.reason, execution.context),
});

export const rebuildReadModel = adminAction({
  permission: 'system.operate',
  path: 'system/projections/:id/rebuild',
  summary: 'Build a read model anew from the log',
  body: MaintenanceDto,
  refuses: REFUSES,
  look: async () => ({}),
  difference: () => [],
  words: (_, { target }) => ({
    does: 'Builds the documents anew beside the live ones, and switches. Reads go on meanwhile.',
    to: `The read model ${target}, in both modes.`,
    cannotUndo: 'Nothing is lost. The build takes CPU of the process that answers this request.',
  }),
  command: async ({ target, body, execution }) => new RebuildReadModel(target, body.reason, execution.context),
});
