import type { ApprovalResource } from '../../../src/modules/administration/api/approvals.contract';
import { ApprovalPage } from '../../../web/console/approvals/approval.page';
import { textIn } from '../dashboard/rendered-dashboard';
import { renderedForAdmin } from './rendered-console';

const AT = '2026-11-01T12:00:00.000Z';
const APPROVED: ApprovalResource = {
  ...{ id: `apr_${'1'.repeat(26)}`, object: 'approval', permission: 'hold.release', target: `hold_${'1'.repeat(26)}` },
  ...{ body: { reason: 'A namesake.' }, body_hash: 'f5', difference: [], status: 'approved' },
  ...{ proposed_by: 'adm_1', decided_by: 'adm_2', note: 'Seen.', decided_at: AT, withdrawal_note: null },
  ...{ executed_by: null, executed_at: null, refusal: null, expires_at: '2026-11-02T12:00:00.000Z', created: AT },
};
const factsOf = (facts: Partial<ApprovalResource>): string => {
  const view = { approval: { ...APPROVED, ...facts }, names: { adm_1: 'Ada', adm_2: 'Ben' }, words: null };
  return textIn(renderedForAdmin(<ApprovalPage view={view} />));
};

it.each([
  ['approved', 'Ends 2 Nov 2026, 12:00', 'Approved by Ben Approved 1 Nov 2026, 12:00 Note Seen.'],
  ['executing', 'Ends 2 Nov 2026, 12:00', 'Approved by Ben'],
  ['executed', null, 'Approved by Ben'],
  ['withdrawn', null, 'Approved by Ben'],
  ['denied', null, 'Denied by Ben Denied 1 Nov 2026, 12:00 Note Seen.'],
  ['expired', 'Ended 2 Nov 2026, 12:00', 'Approved by Ben'],
] as const)('an approval that is %s tells who decided how, and when its time ends', (status, end, decision) => {
  expect(factsOf({ status })).toContain(decision);
  const ends = /End(?:s|ed) \d+ \w+ \d+, \d+:\d+/.exec(factsOf({ status }))?.[0] ?? null;
  expect(ends).toBe(end);
});
