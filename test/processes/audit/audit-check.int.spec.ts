import { composeAudit, type Audit } from '../../../src/composition/audit';
import { composeCore, type Core } from '../../../src/composition/core';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Collection } from '../../../src/kernel/ports/documents';
import { auditEntries, type AuditEntryDocument } from '../../../src/modules/audit/audit-entry';
import { checkAudit, rebuildAudit } from '../../../src/processes/audit/audit-check';
import { AuditRows } from '../../../src/processes/audit/audit-rows';
import { loadConfig } from '../../../src/platform/config/config';
import { isRefusal } from '../../../src/vocabulary/errors';
import { MERCHANT } from '../../fixtures/events/facts';
import { KILL_SWITCH } from '../../fixtures/events/newest-verification';
import { MERCHANT_EVENTS, MERCHANT_SETTINGS } from '../../fixtures/events/newest-merchants';
import { HISTORIES } from '../../modules/payment-intents/histories';
import { audited, everyEvent } from '../../support/audited';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { stagePorts } from '../../support/stage-ports';
import { tellEvents } from '../../support/tell-events';

const AT = Date.parse('2026-11-01T12:00:00.000Z');
const HISTORY = {
  [`platform.merchant-${MERCHANT}`]: MERCHANT_EVENTS,
  [`test.merchant_settings-${MERCHANT}`]: MERCHANT_SETTINGS,
  [`platform.kill_switch-merchant:${MERCHANT}`]: KILL_SWITCH,
  'test.payment_intent-pi_1': HISTORIES.confirming,
};

const MORE_THAN_ARE_LOOKED_FOR_AGAIN = 1_050;

let disk: MemoryDocuments;
let core: Core;
let audit: Audit;
let events: readonly RecordedEvent[];

beforeEach(async () => {
  disk = new MemoryDocuments();
  const store = new MemoryEventStore();
  const ports = stagePorts({ store, documents: disk, clock: new ManualClock(AT), entropy: new SystemEntropy() });
  core = composeCore(loadConfig({ NODE_ENV: 'test' }), ports);
  audit = await composeAudit(core);
  for (const [stream, told] of Object.entries(HISTORY))
    await tellEvents(store, stream, told, { merchant: MERCHANT, atMs: AT });
  events = await everyEvent(core.store);
});

/** The collection beneath the guard, as another program could reach it. */
const unguarded = (): Promise<Collection<AuditEntryDocument>> => disk.open<AuditEntryDocument>(auditEntries);

function parts() {
  const { store, documents, readModels } = core;
  return { store, documents, rows: new AuditRows(store, readModels), signal: new AbortController().signal };
}

async function rowsNow(): Promise<readonly unknown[]> {
  return audit.log.list(auditEntries, { index: 'by_time', equals: {}, limit: 1_000 });
}

it('has one row for each event, whatever the order of arrival and however often an event comes', async () => {
  await audited(audit, events);
  const inOrder = await rowsNow();
  expect(inOrder).toHaveLength(events.length);

  const other = await composeAudit({ ...core, documents: new MemoryDocuments() });
  const shuffled = [...events, ...events].sort((one, another) => (one.id < another.id ? -1 : 1)).reverse();
  await audited(other, shuffled);
  expect(await other.log.list(auditEntries, { index: 'by_time', equals: {}, limit: 1_000 })).toEqual(inOrder);
});

it('shows the state before and after, where people change it', async () => {
  await audited(audit, events);
  const bodies = new Map(
    (await audit.log.list(auditEntries, { index: 'by_time', equals: {}, limit: 1_000 })).map(each => [
      each.id,
      each.body,
    ]),
  );
  const bodyOf = (type: string) => bodies.get(events.find(event => event.type === type)?.id ?? '');
  expect(bodyOf('MerchantDisabled')).toMatchObject({
    action: 'merchant.suspend',
    target_type: 'merchant',
    target_id: MERCHANT,
    before: { status: 'active', disabled_reason: null },
    after: { status: 'disabled' },
  });
  expect(bodyOf('PaymentToleranceSet')).toMatchObject({
    before: { payment_tolerance_bps: expect.any(Number) as number },
  });
  expect(bodyOf('PaymentIntentCreated')).toMatchObject({
    before: null,
    after: { currency: expect.any(String) as string },
  });
});

it('is the same after a rebuild from the log alone', async () => {
  await audited(audit, events);
  const before = await rowsNow();
  await disk.drop(auditEntries.name);
  await unguarded();
  expect(await rebuildAudit(parts())).toBe(events.length);
  expect(await rowsNow()).toEqual(before);
  expect(await checkAudit(parts())).toEqual({
    equal: true,
    events: events.length,
    faults: [],
    faultsFound: 0,
    surplus: 0,
  });
});

it('names rows that are missing, changed or of no event', async () => {
  await audited(audit, events.slice(1));
  const rows = await unguarded();
  const [missing, changed] = events as readonly [RecordedEvent, RecordedEvent];
  const standing = await rows.get(changed.id);
  await rows.put({ ...standing!, body: { ...standing!.body, actor_id: 'adm_other' } });
  await rows.put({ ...standing!, id: 'made-up' });
  await rows.put({ ...standing!, id: 'made-up-too' });
  expect(await checkAudit(parts())).toMatchObject({
    equal: false,
    faults: [
      { id: changed.id, kind: 'changed' },
      { id: missing.id, kind: 'missing' },
    ],
    surplus: 2,
  });
});

it('counts every missing row, and names the first hundred', async () => {
  const time = new Date(AT).toISOString();
  const advanced = { type: 'SandboxClockAdvanced', data: { advanced_at: time, from: time, now: time } };
  const told = Array.from({ length: MORE_THAN_ARE_LOOKED_FOR_AGAIN }, () => advanced);
  await tellEvents(core.store, `test.sandbox_clock-${MERCHANT}`, told, { merchant: MERCHANT, atMs: AT });
  await audited(audit, events);
  const { faults, ...counts } = await checkAudit(parts());
  const [of, found] = [events.length + told.length, told.length];
  expect(counts).toStrictEqual({ equal: false, events: of, faultsFound: found, surplus: 0 });
  expect(faults).toHaveLength(100);
});

it('append_only_violation: no row takes the place of another one, and none is removed', async () => {
  await audited(audit, events);
  const [first] = events as readonly [RecordedEvent];
  const forged = { ...first, metadata: { ...first.metadata, ip: '203.0.113.9' } };
  await expect(audited(audit, [forged])).rejects.toMatchObject({ code: 'append_only_violation' });
  const guarded = await core.documents.open<AuditEntryDocument>(auditEntries);
  const row = await guarded.get(first.id);
  const writes = [
    guarded.put(row!),
    guarded.putNewer(row!),
    guarded.putAllNewer([row!]),
    guarded.replace(row!, 0),
    guarded.deleteUpTo(first.id, 0),
    guarded.deleteAt(first.id, 0),
    core.documents.drop(auditEntries.name),
  ];
  for (const { status, ...outcome } of await Promise.allSettled(writes)) {
    expect(status).toBe('rejected');
    expect(isRefusal((outcome as PromiseRejectedResult).reason, 'append_only_violation')).toBe(true);
  }
  expect(await rowsNow()).toHaveLength(events.length);
});
