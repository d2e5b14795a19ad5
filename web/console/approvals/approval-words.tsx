import type { ApprovalResource } from '../../../src/modules/administration/api/approvals.contract';
import { proposableAction } from '../../../src/modules/administration/api/admin-actions';
import { Badge, spoken, type Tone } from '../../parts/status-badge';

const TONES: Readonly<Record<ApprovalResource['status'], Tone>> = {
  pending: 'warn',
  approved: 'review',
  executing: 'info',
  executed: 'ok',
  denied: 'bad',
  withdrawn: 'idle',
  expired: 'idle',
};

export const STATUSES = Object.keys(TONES);

export function ApprovalBadge({ status }: Pick<ApprovalResource, 'status'>) {
  return <Badge tone={TONES[status]} text={spoken(status)} />;
}

/** The proposed action in words, such as `Suspend a merchant`. */
export function actionText({ permission, target }: Pick<ApprovalResource, 'permission' | 'target'>): string {
  return proposableAction(permission, target)?.summary ?? permission;
}
