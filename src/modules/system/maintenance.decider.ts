import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { refuse } from '../../vocabulary/errors';
import { checkedReason } from '../../vocabulary/reasons';
import type { MaintenanceEvent } from './maintenance.events';

type Maintenance = { readonly last: MaintenanceEvent | null };
type MaintenanceCommand = { readonly reason: string } & (
  | { readonly type: 'replay'; readonly group: string; readonly messages: number }
  | { readonly type: 'rebuild'; readonly readModel: string }
);

function decide(command: MaintenanceCommand): readonly MaintenanceEvent[] {
  const reason = checkedReason(command.reason);
  switch (command.type) {
    case 'replay': {
      const { group, messages } = command;
      const message = `The group ${group} has no parked message.`;
      if (messages === 0) throw refuse('invalid_state_transition', { message });
      return [{ type: 'ParkedMessagesReplayed', data: { group, messages, reason } }];
    }
    case 'rebuild':
      return [{ type: 'ReadModelRebuilt', data: { read_model: command.readModel, reason } }];
    default:
      return unreachable(command);
  }
}

/** The work of administrators on one part of the service: a group, or a read model. */
export const maintenance: Aggregate<Maintenance, MaintenanceCommand, MaintenanceEvent> = {
  category: 'maintenance',
  notFound: null,
  restates: true,
  initial: { last: null },
  decide,
  evolve: (_, last) => ({ last }),
};

export function groupWorkId(group: string): string {
  return `group:${group}`;
}

export function readModelWorkId(readModel: string): string {
  return `read_model:${readModel}`;
}
