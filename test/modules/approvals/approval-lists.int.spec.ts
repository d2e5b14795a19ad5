import { DAY_MS, isoTime } from '../../../src/kernel/clock';
import { ApprovalReader } from '../../../src/modules/administration/api/approval.reader';
import { approvalsReadModel, type ApprovalDocument } from '../../../src/modules/approvals/approvals.read-model';
import { StoredReadModels } from '../../../projections/runner/read-models';
import { approvalsProjection } from '../../../projections/approvals.projection';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ADA, DIFFERENCE, NOON, RELEASE } from './approval-facts';

const documents = new MemoryDocuments();
const reader = new ApprovalReader(new StoredReadModels(documents, new MemoryEventStore(), new ManualClock(NOON)));

const idOf = (number: number): string => `apr_${String(number).padStart(26, '0')}`;

async function put(number: number, status: ApprovalDocument['status'], createdMs: number): Promise<void> {
  const { name, indexes } = approvalsReadModel;
  const collection = await documents.open<ApprovalDocument>({ name, indexes });
  const lapses = status === 'pending' || status === 'approved';
  const decision = {
    decided_by: null,
    note: null,
    decided_at: null,
    withdrawal_note: null,
    executed_by: null,
    executed_at: null,
  };
  const body = {
    ...{ ...RELEASE, ...decision, body_hash: '00', difference: DIFFERENCE, refusal: null, proposed_by: ADA.id },
    ...{ status, lapses, expires_at: isoTime(createdMs + DAY_MS), created: isoTime(createdMs) },
  };
  await collection.put({ id: idOf(number), version: 0, body });
}

/** The last ones were proposed a day ago, to the millisecond, and a millisecond later. */
beforeAll(async () => {
  expect(approvalsProjection.mirrors).toBe(true);
  await put(1, 'pending', NOON - 2 * DAY_MS);
  await put(2, 'approved', NOON - DAY_MS);
  await put(3, 'pending', NOON - DAY_MS + 1);
  await put(4, 'approved', NOON - 1_000);
  await put(5, 'denied', NOON - 3 * DAY_MS);
  await put(6, 'executed', NOON - 3 * DAY_MS);
});

const listed = async (query: Readonly<Record<string, string>>) =>
  (await reader.list(query, NOON)).data.map(({ id, status }) => [Number(id.slice(4)), status]);

it('lists all approvals with the status of the moment, the newest first', async () => {
  await expect(listed({})).resolves.toEqual([
    [4, 'approved'],
    [3, 'pending'],
    [2, 'expired'],
    [1, 'expired'],
    [6, 'executed'],
    [5, 'denied'],
  ]);
});

it.each([
  ['pending', [[3, 'pending']]],
  ['approved', [[4, 'approved']]],
  ['executing', []],
  ['denied', [[5, 'denied']]],
  ['expired', [[2, 'expired'], [1, 'expired']]],
] as const)('lists those that are %s', async (status, expected) => {
  await expect(listed({ status })).resolves.toEqual(expected);
}); // prettier-ignore

it('refuses an unknown status and an unknown approval', async () => {
  await expect(reader.list({ status: 'lost' }, NOON)).rejects.toMatchObject({ code: 'invalid_filter' });
  await expect(reader.get(idOf(9), NOON)).rejects.toMatchObject({ code: 'unknown_action' });
  await expect(reader.get('apr_9', NOON)).rejects.toMatchObject({ code: 'unknown_action' });
  await expect(reader.get(idOf(1), NOON)).resolves.toMatchObject({
    id: idOf(1),
    object: 'approval',
    status: 'expired',
  });
});
