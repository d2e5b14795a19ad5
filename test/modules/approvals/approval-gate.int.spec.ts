import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { StoredReadModels } from '../../../projections/runner/read-models';
import type { CommandContext, PlatformContext } from '../../../src/kernel/command-context';
import { MINUTE_MS } from '../../../src/kernel/clock';
import { streamName } from '../../../src/kernel/event';
import { forwardingStore } from '../../../src/kernel/forwarding-store';
import { StoreUnavailable, type EventStore } from '../../../src/kernel/ports/event-store';
import { WritePath } from '../../../src/kernel/write-path';
import { admins } from '../../../src/modules/admins/admin.decider';
import { ApprovalGate, type AskedAction, type Execution } from '../../../src/modules/approvals/approval-gate';
import { approvals } from '../../../src/modules/approvals/approval.decider';
import { killSwitches } from '../../../src/modules/kill-switches/kill-switch.decider';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import type { AdminActor } from '../../../src/vocabulary/admin-roles';
import { isRefusal, refuse, type ErrorCode } from '../../../src/vocabulary/errors';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { ADA, BEN, CARL, DIFFERENCE, FIN, NOON, RELEASE, SUE, VERA } from './approval-facts';

const RACES = 50;
const LATEST_DENIAL_TURNS = 5;
const MERCHANT = 'mch_00000000000000000000000001';
const folder = mkdtempSync(path.join(tmpdir(), 'quittance-approvals-'));
const file = EmbeddedFile.open(folder, { role: 'service' });
const clock = new ManualClock(NOON);
const store = new EmbeddedEventStore(file, clock);
const mirrors = () => Promise.resolve();
const writes = new WritePath(store, clock, mirrors);
const readModels = new StoredReadModels(new MemoryDocuments(), store, clock);
let counter = 0;

afterAll(async () => {
  await store.close();
  file.close();
  rmSync(folder, { recursive: true });
});

afterEach(() => {
  clock.timeMs = NOON;
});

function contextOf({ id }: AdminActor): PlatformContext<'platform'> {
  const commandId = `command-${++counter}`;
  return {
    ...{ commandId, universe: 'platform', merchantId: null, startedAt: clock.now(), now: clock.now() },
    ...{ requestId: null, correlationId: commandId, causationId: null, ip: null },
    actor: { role: 'admin', type: 'admin', id },
  };
}

const newId = (): string => `apr_${String(++counter).padStart(26, '0')}`;

async function proposed(): Promise<string> {
  const id = newId();
  const propose = { type: 'propose', action: RELEASE, difference: DIFFERENCE, admin: ADA } as const;
  await writes.execute(approvals, id, propose, contextOf(ADA));
  return id;
}

async function decide(id: string, type: 'approve' | 'deny', admin: AdminActor, path = writes): Promise<void> {
  await path.execute(approvals, id, { type, admin, note: 'Seen.' }, contextOf(admin));
}

async function approved(admin = BEN): Promise<string> {
  const id = await proposed();
  await decide(id, 'approve', admin);
  return id;
}

const asked = (approvalId: string | null, admin = ADA): AskedAction => ({
  ...RELEASE,
  admin,
  approvalId,
  context: contextOf(admin),
});

const effectStream = (id: string) => `merchant:${MERCHANT}/${id}`;

/** An effect on a stream of its own for each approval, as an action's command has it. */
function effect(id: string, path = writes) {
  return async ({ context }: Execution): Promise<string> => {
    const stop = { mode: 'live', ground: 'operator' } as const;
    const target = { scope: 'merchant', subject: MERCHANT } as const;
    const own: CommandContext = { ...context, merchantId: null };
    const set = { type: 'set', target, stop, reason: `${context.now} ${context.actor.id}` } as const;
    await path.execute(killSwitches, effectStream(id), set, own);
    return 'done';
  };
}

async function typesOf(category: string, id: string): Promise<readonly string[]> {
  return (await store.readStream(streamName('platform', category, id))).map(({ type }) => type);
}

const historyOf = (id: string) => typesOf('approval', id);
const effectsOf = (id: string) => typesOf('kill_switch', effectStream(id));

async function codeOf(work: Promise<unknown>): Promise<ErrorCode | 'done'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

const gate = new ApprovalGate(writes, readModels);
const execute = (id: string | null, admin = ADA) => codeOf(gate.run(asked(id, admin), effect(id ?? 'none')));

describe('the gate', () => {
  it('lets an action of one administrator through by the role alone', async () => {
    const place = { ...asked(null), permission: 'hold.place' } as const;
    await expect(gate.run(place, ({ eyes }) => Promise.resolve(eyes))).resolves.toBeNull();
    const named = { ...place, approvalId: newId() };
    await expect(codeOf(gate.run(named, effect('none')))).resolves.toBe('second_approval_not_required');
    const byFinance = { ...place, admin: FIN };
    await expect(codeOf(gate.run(byFinance, effect('none')))).resolves.toBe('permission_denied');
  });

  it('asks for the role before the approval: permission_denied, role_may_propose_only', async () => {
    const id = await approved();
    await expect(execute(id, VERA)).resolves.toBe('permission_denied');
    await expect(execute(id, SUE)).resolves.toBe('role_may_propose_only');
    await expect(execute(null)).resolves.toBe('second_approval_required');
  });

  it('takes no approval of a person who was disabled since, or may no longer give it', async () => {
    const [disabled, moved] = [
      { ...BEN, id: 'adm_disabled' },
      { ...BEN, id: 'adm_moved' },
    ];
    for (const { id } of [disabled, moved]) {
      const admin = { email: `${id}@shop.test`, role: 'compliance', password_hash: 'hash' } as const;
      await writes.execute(admins, id, { type: 'create', admin }, contextOf(ADA));
    }
    const ids = await Promise.all([disabled, moved, BEN].map(admin => approved(admin)));
    await writes.execute(admins, disabled.id, { type: 'disable', reason: 'Left.', releasedTerm: null }, contextOf(ADA));
    const role = { type: 'give_role', role: 'viewer', releasedTerm: null } as const;
    await writes.execute(admins, moved.id, role, contextOf(ADA));
    const outcomes = await Promise.all(ids.map(id => execute(id)));
    expect(outcomes).toEqual(['action_not_approved', 'action_not_approved', 'done']);
  });

  it('takes no approval that was given after the reading, and whose giver was disabled at once', async () => {
    const hasty = { ...BEN, id: 'adm_hasty' };
    const admin = { email: 'adm_hasty@shop.test', role: 'compliance', password_hash: 'hash' } as const;
    await writes.execute(admins, hasty.id, { type: 'create', admin }, contextOf(ADA));
    const id = await proposed();
    let reads = 0;
    const overtaken: EventStore = {
      ...forwardingStore(store),
      readStream: async (...asking) => {
        const history = await store.readStream(...asking);
        if (asking[0] !== streamName('platform', 'approval', id) || ++reads > 1) return history;
        await decide(id, 'approve', hasty);
        await writes.execute(
          admins,
          hasty.id,
          { type: 'disable', reason: 'Left.', releasedTerm: null },
          contextOf(ADA),
        );
        return history;
      },
    };
    const path = new WritePath(overtaken, clock, mirrors);
    const outcome = codeOf(new ApprovalGate(path, readModels).run(asked(id), effect(id, path)));
    await expect(outcome).resolves.toBe('action_not_approved');
    await expect(effectsOf(id)).resolves.toEqual([]);
  });

  it('knows an approval by its very body: unknown_approval', async () => {
    await expect(execute(newId())).resolves.toBe('unknown_approval');
    await expect(execute('apr_no')).resolves.toBe('unknown_approval');
    const id = await approved();
    const changed = { ...asked(id), body: { reason: 'Another person!' } };
    await expect(codeOf(gate.run(changed, effect(id)))).resolves.toBe('unknown_approval');
    await expect(effectsOf(id)).resolves.toEqual([]);
    await expect(execute(id)).resolves.toBe('done');
  });

  it('lets an approved action through once, by one of the two, and names both', async () => {
    const id = await proposed();
    await expect(execute(id)).resolves.toBe('action_not_approved');
    await decide(id, 'approve', BEN);
    await expect(execute(id, CARL)).resolves.toBe('executor_not_party');
    const seen = await gate.run(asked(id, BEN), execution => Promise.resolve(execution));
    expect(seen.eyes).toEqual({ proposedBy: ADA.id, approvedBy: BEN.id });
    expect(seen.context.commandId).toBe(id);
    await expect(execute(id)).resolves.toBe('action_not_pending');
    const history = ['ActionProposed', 'ActionApproved', 'ExecutionStarted', 'ExecutionSucceeded'];
    await expect(historyOf(id)).resolves.toEqual(history);
  });

  it('refuses a second execution during the first one: action_in_flight', async () => {
    const id = await approved();
    const codes: string[] = [];
    await gate.run(asked(id), async () => {
      codes.push(await execute(id, BEN));
    });
    expect(codes).toEqual(['action_in_flight']);
  });

  it('hands back a failed execution, which can be tried again', async () => {
    const id = await approved();
    const failing = (error: Error) => codeOf(gate.run(asked(id), () => Promise.reject(error)));
    await expect(failing(refuse('compliance_hold'))).resolves.toBe('compliance_hold');
    await expect(failing(new Error('a fault'))).rejects.toThrow('a fault');
    await expect(execute(id, BEN)).resolves.toBe('done');
    await expect(effectsOf(id)).resolves.toEqual(['KillSwitchSet']);
    const tries = ['ExecutionStarted', 'ExecutionHandedBack', 'ExecutionStarted', 'ExecutionHandedBack'];
    const ends = ['ExecutionStarted', 'ExecutionSucceeded'];
    await expect(historyOf(id)).resolves.toEqual(['ActionProposed', 'ActionApproved', ...tries, ...ends]);
    const history = await store.readStream(streamName('platform', 'approval', id));
    const refusals = history.flatMap(({ type, data }) => (type === 'ExecutionHandedBack' ? [data['refusal']] : []));
    expect(refusals).toEqual(['compliance_hold', 'internal_error']);
  });
});

/** A process that is killed after so many of its appends: nothing that it sends reaches the log any more. */
function killedAfter(appends: number): EventStore {
  let left = appends;
  const append: EventStore['append'] = (...asked) =>
    left-- > 0 ? store.append(...asked) : Promise.reject(new StoreUnavailable('the process was killed'));
  return { ...forwardingStore(store), append };
}

describe('an execution whose process was killed', () => {
  it.each([
    ['before the action', 1, []],
    ['after the action', 2, ['KillSwitchSet']],
  ] as const)(
    '%s is in flight for its lease, and is then carried on without a second effect',
    async (_, appends, left) => {
      const id = await approved();
      const dying = new WritePath(killedAfter(appends), clock, mirrors);
      await expect(new ApprovalGate(dying, readModels).run(asked(id), effect(id, dying))).rejects.toThrow(
        StoreUnavailable,
      );
      await expect(effectsOf(id)).resolves.toEqual(left);
      await expect(execute(id, BEN)).resolves.toBe('action_in_flight');
      await expect(codeOf(decide(id, 'deny', CARL))).resolves.toBe('action_not_pending');
      clock.timeMs += 2 * MINUTE_MS;
      await expect(execute(id, CARL)).resolves.toBe('executor_not_party');
      await expect(execute(id, BEN)).resolves.toBe('done');
      await expect(effectsOf(id)).resolves.toEqual(['KillSwitchSet']);
      const history = [
        'ActionProposed',
        'ActionApproved',
        'ExecutionStarted',
        'ExecutionStarted',
        'ExecutionSucceeded',
      ];
      await expect(historyOf(id)).resolves.toEqual(history);
    },
  );
});

describe('races of approve, execute and deny', () => {
  const APPROVE = 'approve';
  const EXECUTE = 'execute';
  const DENY = 'deny';
  const ORDERS = [
    [APPROVE, EXECUTE, DENY],
    [APPROVE, DENY, EXECUTE],
    [EXECUTE, APPROVE, DENY],
    [EXECUTE, DENY, APPROVE],
    [DENY, APPROVE, EXECUTE],
    [DENY, EXECUTE, APPROVE],
  ] as const;

  /** Each racer has a process of its own, and comes again while it only came too early. */
  async function persist(run: (path: WritePath) => Promise<ErrorCode | 'done'>): Promise<ErrorCode | 'done'> {
    const path = new WritePath(store, clock, mirrors);
    for (let tries = 0; ; tries++) {
      const code = await run(path);
      const isEarly = code === 'action_not_approved' || code === 'action_in_flight' || code === 'provider_unavailable';
      if (!isEarly || tries >= 1_000) return code;
      // The others have their turn: reading alone would leave them none.
      await setImmediate();
    }
  }

  it('end with one outcome each, and both outcomes occur', async () => {
    const outcomes = { executed: 0, denied: 0 };
    for (let race = 0; race < RACES; race++) {
      const id = await (race % 2 === 0 ? proposed() : approved());
      const racers = {
        [APPROVE]: () => persist(path => codeOf(decide(id, 'approve', BEN, path))),
        [EXECUTE]: () => persist(path => codeOf(new ApprovalGate(path, readModels).run(asked(id), effect(id, path)))),
        [DENY]: async () => {
          // An execution reads more before it writes, so a denial at the same moment would always win.
          for (let turn = race % LATEST_DENIAL_TURNS; turn > 0; turn--) await setImmediate();
          return persist(path => codeOf(decide(id, 'deny', CARL, path)));
        },
      };
      const order = ORDERS[race % ORDERS.length] ?? [];
      const codes = await Promise.all(order.map(async name => [name, await racers[name]()] as const));
      const { [EXECUTE]: executed, [DENY]: denied } = Object.fromEntries(codes);
      expect([executed, denied].filter(code => code === 'done')).toHaveLength(1);
      expect([executed, denied]).toContain('action_not_pending');
      const isExecuted = executed === 'done';
      const last = (await historyOf(id)).at(-1);
      expect([last, await effectsOf(id)]).toEqual(
        isExecuted ? ['ExecutionSucceeded', ['KillSwitchSet']] : ['ActionDenied', []],
      );
      outcomes[isExecuted ? 'executed' : 'denied']++;
    }
    expect(Math.min(outcomes.executed, outcomes.denied)).toBeGreaterThan(0);
  });
});
