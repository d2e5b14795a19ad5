import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock';
import { approvals } from '../../../src/modules/approvals/approval.decider';
import type { ApprovalEvent } from '../../../src/modules/approvals/approval.events';
import { shownStatus } from '../../../src/modules/approvals/approval.state';
import { APPROVAL_STATUSES, APPROVAL_TRANSITIONS } from '../../../src/modules/approvals/approval.transitions';
import { actionHash } from '../../../src/modules/approvals/proposed-action';
import { given } from '../../support/given-when-then';
import {
  ADA,
  approvedBy,
  BEN,
  CARL,
  deniedBy,
  DIFFERENCE,
  FIN,
  handedBack,
  NOON,
  proposedBy,
  RELEASE,
  started,
  succeeded,
  SUE,
  VERA,
  withdrawn,
} from './approval-facts';

const at = (now: number) => ({ actor: { role: 'admin', type: 'admin', id: 'adm_whoever' }, now }) as const;
const atNoon = at(NOON);
const tomorrow = at(NOON + DAY_MS);
const note = 'Seen.';
const pending = [proposedBy(ADA)];
const approved = [...pending, approvedBy(BEN)];
const executing = [...approved, started(ADA)];

/** A history that ends in each status. */
const HISTORIES: Readonly<Record<string, readonly ApprovalEvent[]>> = {
  pending,
  approved,
  executing,
  executed: [...executing, succeeded()],
  denied: [...pending, deniedBy(BEN)],
  withdrawn: [...pending, withdrawn],
};

describe('proposing', () => {
  const propose = { type: 'propose', action: RELEASE, difference: DIFFERENCE, admin: ADA } as const;

  it('binds permission, target and body for a day', () => {
    given(approvals, []).when(propose, atNoon).then(pending);
    given(approvals, pending).when(propose, atNoon).then([]);
  });

  it('is for the roles of the permission and for support: a viewer is refused', () => {
    given(approvals, [])
      .when({ ...propose, admin: SUE }, atNoon)
      .then([proposedBy(SUE)]);
    for (const admin of [VERA, FIN])
      given(approvals, [])
        .when({ ...propose, admin }, atNoon)
        .thenRefused('permission_denied');
  });

  it('is refused as second_approval_not_required for an action of one administrator', () => {
    const action = { ...RELEASE, permission: 'hold.place' } as const;
    given(approvals, [])
      .when({ ...propose, action }, atNoon)
      .thenRefused('second_approval_not_required');
  });
});

describe('deciding', () => {
  const approve = { type: 'approve', admin: BEN, note: ' Seen. ' } as const;
  const deny = { type: 'deny', admin: BEN, note: 'No.' } as const;

  it('approves or denies once', () => {
    given(approvals, pending)
      .when(approve, atNoon)
      .then([approvedBy(BEN)]);
    given(approvals, pending)
      .when(deny, atNoon)
      .then([deniedBy(BEN)]);
  });

  it('stops an approved action before anybody has begun with it', () => {
    given(approvals, approved)
      .when({ ...deny, admin: CARL }, atNoon)
      .then([deniedBy(CARL)]);
    given(approvals, [...executing, handedBack()])
      .when(deny, atNoon)
      .then([deniedBy(BEN)]);
  });

  it.each(['approve', 'deny'] as const)('to %s: each refusal in its order', type => {
    const word = { type, admin: BEN, note };
    const open = given(approvals, pending);
    given(approvals, []).when(word, atNoon).thenRefused('unknown_action');
    open.when({ ...word, admin: FIN, note: '' }, tomorrow).thenRefused('permission_denied');
    open.when({ ...word, admin: SUE, note: '' }, tomorrow).thenRefused('role_may_propose_only');
    open.when({ ...word, admin: ADA, note: '' }, tomorrow).thenRefused('self_approval_forbidden');
    open.when({ ...word, note: '' }, tomorrow).thenRefused('invalid_reason', 'note');
    open.when({ ...word, note: 'x'.repeat(501) }, atNoon).thenRefused('invalid_reason', 'note');
    open.when(word, tomorrow).thenRefused('action_expired');
    given(approvals, approved).when(word, tomorrow).thenRefused('action_expired');
    for (const status of ['executing', 'executed', 'denied', 'withdrawn'])
      given(approvals, HISTORIES[status] ?? [])
        .when(word, tomorrow)
        .thenRefused('action_not_pending');
  });

  it('approves no action twice', () => {
    given(approvals, approved).when(approve, atNoon).thenRefused('action_not_pending');
  });
});

describe('withdrawing', () => {
  const withdraw = { type: 'withdraw', admin: ADA, note: 'Mistaken.' } as const;

  it('is for the proposer, until somebody has begun', () => {
    given(approvals, pending).when(withdraw, atNoon).then([withdrawn]);
    given(approvals, approved).when(withdraw, atNoon).then([withdrawn]);
    given(approvals, executing).when(withdraw, atNoon).thenRefused('action_not_pending');
  });

  it('is refused to others, without a note, and too late', () => {
    given(approvals, []).when(withdraw, atNoon).thenRefused('unknown_action');
    given(approvals, pending)
      .when({ ...withdraw, admin: CARL }, tomorrow)
      .thenRefused('permission_denied');
    given(approvals, pending)
      .when({ ...withdraw, note: ' ' }, tomorrow)
      .thenRefused('invalid_reason', 'note');
    given(approvals, pending).when(withdraw, tomorrow).thenRefused('action_expired');
  });
});

describe('executing', () => {
  const begin = { type: 'begin', action: RELEASE, admin: ADA, approverMay: true } as const;

  it.each([ADA, BEN])('is for the proposer and the approver', admin => {
    given(approvals, approved)
      .when({ ...begin, admin }, atNoon)
      .then([started(admin)]);
  });

  it('is refused as unknown_approval for another permission, target or body, were it by one byte', () => {
    given(approvals, []).when(begin, atNoon).thenRefused('unknown_approval');
    const others = [
      { ...RELEASE, permission: 'hold.reject' },
      { ...RELEASE, target: RELEASE.target.replace(/1$/, '2') },
      { ...RELEASE, body: { reason: 'Another person!' } },
      { ...RELEASE, body: { ...RELEASE.body, note: '' } },
    ] as const;
    for (const action of others) {
      given(approvals, approved)
        .when({ ...begin, action }, atNoon)
        .thenRefused('unknown_approval');
      given(approvals, pending)
        .when({ ...begin, action, admin: CARL }, tomorrow)
        .thenRefused('unknown_approval');
    }
  });

  it('is refused before the approval, after a day, and to a third person', () => {
    given(approvals, pending).when(begin, atNoon).thenRefused('action_not_approved');
    given(approvals, pending).when(begin, tomorrow).thenRefused('action_expired');
    given(approvals, approved).when(begin, tomorrow).thenRefused('action_expired');
    given(approvals, approved)
      .when({ ...begin, admin: CARL }, atNoon)
      .thenRefused('executor_not_party');
  });

  it('is refused where the approver may no longer approve it; one that has begun goes on', () => {
    const late = { ...begin, approverMay: false };
    given(approvals, approved).when(late, atNoon).thenRefused('action_not_approved');
    given(approvals, executing).when(late, atNoon).thenRefused('action_in_flight');
  });

  it('happens once: action_in_flight during it, action_not_pending afterwards', () => {
    given(approvals, executing).when(begin, atNoon).thenRefused('action_in_flight');
    given(approvals, executing)
      .when({ ...begin, admin: CARL }, atNoon)
      .thenRefused('executor_not_party');
    for (const status of ['executed', 'denied', 'withdrawn'])
      given(approvals, HISTORIES[status] ?? [])
        .when(begin, atNoon)
        .thenRefused('action_not_pending');
  });

  it('can be tried again where it was handed back', () => {
    given(approvals, executing)
      .when({ type: 'hand_back', attempt: 1, refusal: 'compliance_hold' }, atNoon)
      .then([handedBack()]);
    const usable = [...executing, handedBack()];
    given(approvals, usable)
      .when({ ...begin, admin: BEN }, atNoon)
      .then([started(BEN, 2)]);
    given(approvals, usable).when(begin, tomorrow).thenRefused('action_expired');
  });

  it('goes on after its lease, also when the approval would have lapsed', () => {
    given(approvals, executing)
      .when(begin, at(NOON + 2 * MINUTE_MS - 1))
      .thenRefused('action_in_flight');
    const later = given(approvals, executing)
      .when({ ...begin, admin: BEN }, tomorrow)
      .thenTypes(['ExecutionStarted']);
    expect(later).toMatchObject({ status: 'executing', attempts: 2, leaseUntil: '2026-11-02T12:02:00.000Z' });
  });

  it('is ended by its last attempt, and by any late success', () => {
    const again = [...executing, started(BEN, 2)];
    given(approvals, again).when({ type: 'hand_back', attempt: 1, refusal: 'internal_error' }, atNoon).then([]);
    given(approvals, again)
      .when({ type: 'succeed', attempt: 1 }, atNoon)
      .then([succeeded(1)]);
    given(approvals, [...again, handedBack(2)])
      .when({ type: 'succeed', attempt: 1 }, atNoon)
      .then([succeeded(1)]);
    given(approvals, [...again, succeeded(2)])
      .when({ type: 'hand_back', attempt: 1, refusal: 'internal_error' }, atNoon)
      .then([]);
    given(approvals, [...again, succeeded(2)])
      .when({ type: 'succeed', attempt: 1 }, atNoon)
      .then([]);
  });

  it('is tried at most a hundred times', () => {
    const tries = Array.from({ length: 100 }, (_, index) => [started(ADA, index + 1), handedBack(index + 1)]).flat();
    given(approvals, [...approved, ...tries])
      .when(begin, atNoon)
      .thenRefused('action_not_pending');
  });
});

describe('the state machine', () => {
  it.each(APPROVAL_STATUSES)('moves from %s by the edges of its row alone', from => {
    const { state } = given(approvals, HISTORIES[from] ?? []);
    expect(state.status).toBe(from);
    const facts = { approve: approvedBy(BEN), deny: deniedBy(BEN), withdraw: withdrawn, begin: started(BEN, 2) };
    const ends = { succeed: succeeded(), hand_back: handedBack(), propose: proposedBy(BEN) };
    for (const [trigger, event] of Object.entries({ ...facts, ...ends })) {
      const edge = APPROVAL_TRANSITIONS[from][trigger as keyof typeof facts];
      expect([trigger, approvals.evolve(state, event).status]).toEqual([trigger, edge?.to ?? from]);
    }
  });

  it('shows as expired what nobody decided or carried out in a day', () => {
    const ends = '2026-11-02T12:00:00.000Z';
    const shown = (now: number) => APPROVAL_STATUSES.map(status => shownStatus(status, ends, now));
    expect(shown(NOON + DAY_MS - 1)).toEqual([...APPROVAL_STATUSES]);
    expect(shown(NOON + DAY_MS)).toEqual(['expired', 'expired', 'executing', 'executed', 'denied', 'withdrawn']);
  });

  it('hashes a body by its members, not by their order', () => {
    const one = actionHash({ ...RELEASE, body: { a: 1, b: 'x' } });
    expect(actionHash({ ...RELEASE, body: { b: 'x', a: 1 } })).toBe(one);
    expect(actionHash({ ...RELEASE, body: { a: '1', b: 'x' } })).not.toBe(one);
  });
});
