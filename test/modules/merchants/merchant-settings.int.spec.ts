import { ALL_PROJECTIONS } from '../../../projections/all';
import { merchantSettingsProjection } from '../../../projections/merchant-settings.projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import { composeAccess } from '../../../src/composition/access';
import { systemContext, type CommandContext, type MerchantContext } from '../../../src/kernel/command-context';
import type { DomainEvent } from '../../../src/kernel/event';
import { applyEvents } from '../../../src/kernel/projection';
import { sealedEvents } from '../../../src/kernel/sealed-events';
import { WritePath } from '../../../src/kernel/write-path';
import { ChangeSettings, ChangeSettingsHandler } from '../../../src/modules/merchants/commands/change-settings.command';
import { DEFAULT_SETTINGS, factsOf, type SettingsChanges } from '../../../src/modules/merchants/merchant-settings';
import { settingsAsked, settingsOf } from '../../../src/modules/merchants/merchant-settings.read-model';
import type { Mode } from '../../../src/vocabulary/modes';
import { ManualClock, MERCHANT, NOON, RecordingLog } from '../../support/payment-fixture';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { recordedEvents } from '../../support/recorded-events';
import { methodTermsNow } from '../../support/payment-terms';

/** More events than a stream has that does not restate its state. */
const LONG = 4_100;

describe('the settings of a merchant', () => {
  let engine: MemoryEventStore;
  let documents: MemoryDocuments;
  let commands = 0;

  beforeEach(async () => {
    engine = new MemoryEventStore();
    documents = new MemoryDocuments();
    // An account of the time in which settings were of both modes.
    await record(`platform.merchant-${MERCHANT}`, { ...context('test'), universe: 'platform' }, [
      { type: 'MerchantRegistered', data: { name: 'Shop', email: 'a@b.example' } },
      { type: 'ApiVersionPinned', data: { api_version: '2026-11-15' } },
      { type: 'PaymentToleranceSet', data: { payment_tolerance_bps: 50 } },
      { type: 'EnabledTokensSet', data: { enabled_tokens: ['usdc-base'] } },
    ]);
  });

  /** One process over the engines. */
  function started() {
    const clock = new ManualClock(NOON);
    const readModels = new StoredReadModels(documents, engine, clock);
    const { store, access } = composeAccess(engine, documents, readModels);
    const writes = new WritePath(store, clock, mirrorWriter(documents, ALL_PROJECTIONS, new RecordingLog()));
    return { access, handler: new ChangeSettingsHandler(writes) };
  }
  type Process = ReturnType<typeof started>;

  function context(mode: Mode): MerchantContext {
    const facts = { actor: 'sweeper', mode, merchantId: MERCHANT, now: NOON } as const;
    return systemContext(`command-${++commands}`, facts);
  }

  async function record(stream: string, by: CommandContext, facts: readonly DomainEvent[]) {
    const sealing = { stream, last: undefined, context: by, recordedAtMs: NOON, upcasts: {} };
    await engine.append(stream, 'no_stream', sealedEvents(facts, sealing));
  }

  function change({ handler }: Process, mode: Mode, changes: SettingsChanges, by = context(mode)) {
    return handler.execute(new ChangeSettings(changes, by));
  }

  async function toleranceIn({ access }: Process, mode: Mode) {
    const [merchant, own] = await access.read(settingsAsked(mode, MERCHANT));
    return merchant && settingsOf(merchant.body, own?.body).payment_tolerance_bps;
  }

  it('are in both modes those that the account had set once, until a mode changes one', async () => {
    const [one, other] = [started(), started()];
    expect([await toleranceIn(other, 'test'), await toleranceIn(other, 'live')]).toStrictEqual([50, 50]);
    await change(one, 'test', { toleranceBps: 100 });
    expect([await toleranceIn(other, 'test'), await toleranceIn(other, 'live')]).toStrictEqual([100, 50]);
    await change(one, 'live', { toleranceBps: 0 });
    expect([await toleranceIn(other, 'test'), await toleranceIn(other, 'live')]).toStrictEqual([100, 0]);
  });

  it('are the terms of the payments of their mode', async () => {
    const [one, { access }] = [started(), started()];
    const termsIn = (mode: Mode) => methodTermsNow(access, mode, MERCHANT);
    await change(one, 'test', { toleranceBps: 100, enabledTokens: ['usdt-tron'] });
    expect(await termsIn('test')).toEqual({
      enabledTokens: ['usdt-tron'],
      stoppedTokens: [],
      toleranceBps: 100,
      walletVelocity: null,
    });
    expect(await termsIn('live')).toEqual({
      enabledTokens: ['usdc-base'],
      stoppedTokens: [],
      toleranceBps: 50,
      walletVelocity: null,
    });
  });

  it('are changed once by a command that is run again', async () => {
    const by = context('test');
    await change(started(), 'test', { toleranceBps: 100 }, by);
    await change(started(), 'test', { toleranceBps: 75 });
    await change(started(), 'test', { toleranceBps: 100 }, by);
    expect(await toleranceIn(started(), 'test')).toBe(75);
  });

  it('come to the same documents when they are built anew', async () => {
    const one = started();
    for (const toleranceBps of [1, 2, 3]) await change(one, 'test', { toleranceBps });
    await change(one, 'live', { brand: { name: 'Shop' } });
    const events = await recordedEvents(engine, 'merchant_settings');
    const built = [...applyEvents(merchantSettingsProjection, events, () => null).values()];
    expect(built.map(({ body }) => [body?.mode, body?.payment_tolerance_bps, body?.brand.name])).toEqual([
      ['test', 3, null],
      ['live', 50, 'Shop'],
    ]);
    const collection = await documents.open(collectionSpec(merchantSettingsProjection));
    for (const document of built) expect(await collection.get(document.id)).toEqual(document);
  });

  it('can be changed again however often they have been changed', async () => {
    const facts = (bps: number) => ({ ...factsOf(DEFAULT_SETTINGS), payment_tolerance_bps: bps });
    const often = Array.from({ length: LONG }, (_, index) => ({ type: 'SettingsSet', data: facts(index % 7) }));
    await record(`test.merchant_settings-${MERCHANT}`, context('test'), often);
    const [one, other] = [started(), started()];
    expect(await toleranceIn(other, 'test')).toBe((LONG - 1) % 7);
    await change(one, 'test', { toleranceBps: 99 });
    expect([await toleranceIn(one, 'test'), await toleranceIn(other, 'test')]).toStrictEqual([99, 99]);
    const [last] = await engine.readStream(`test.merchant_settings-${MERCHANT}`, { direction: 'backwards', limit: 1 });
    expect([last?.revision, last?.data]).toEqual([LONG, facts(99)]);
  });
});
