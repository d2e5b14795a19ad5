import type { ListedUser } from '../../../src/modules/users/queries/listed-user';
import { Badge, type Tone } from '../../parts/status-badge';

const STATES: Readonly<Record<ListedUser['status'], { readonly tone: Tone; readonly text: string }>> = {
  invited: { tone: 'warn', text: 'Invited' },
  withdrawn: { tone: 'idle', text: 'Invitation withdrawn' },
  active: { tone: 'ok', text: 'Active' },
  disabled: { tone: 'idle', text: 'Disabled' },
};

export function PersonBadge({ status }: Pick<ListedUser, 'status'>) {
  return <Badge {...STATES[status]} />;
}
