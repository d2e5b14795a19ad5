import { composeAccess } from '../../../src/composition/access';
import type { Clock } from '../../../src/kernel/clock';
import type { CommandContext } from '../../../src/kernel/command-context';
import type { Entropy } from '../../../src/kernel/entropy';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Universe } from '../../../src/vocabulary/modes';
import { parseStreamName, streamName } from '../../../src/kernel/event';
import type { JsonObject } from '../../../src/vocabulary/json';
import type { Document, ListQuery } from '../../../src/kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../../src/kernel/ports/read-models';
import { SecretUnreadable, type DerivedKey, type SecretBox } from '../../../src/kernel/ports/secret-box';
import { applyEvents, mirroredCategory, type Projection } from '../../../src/kernel/projection';
import { WritePath } from '../../../src/kernel/write-path';
import { adminsProjection } from '../../../projections/admins.projection';
import { apiKeysProjection } from '../../../projections/api-keys.projection';
import { exchangeWalletsProjection } from '../../../projections/exchange-wallets.projection';
import { killSwitchesProjection } from '../../../projections/kill-switches.projection';
import { kybCasesProjection } from '../../../projections/kyb-cases.projection';
import { merchantSettingsProjection } from '../../../projections/merchant-settings.projection';
import { merchantsProjection } from '../../../projections/merchants.projection';
import { routesProjection } from '../../../projections/routes.projection';
import { sandboxClocksProjection } from '../../../projections/sandbox-clocks.projection';
import { sessionPoliciesProjection } from '../../../projections/session-policies.projection';
import { usersProjection } from '../../../projections/users.projection';
import { walletsProjection } from '../../../projections/wallets.projection';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';

export const NOON = Date.parse('2026-11-01T12:00:00.000Z');
export const MERCHANT = 'mch_00000000000000000000000001';
export const OTHER_MERCHANT = 'mch_00000000000000000000000002';

const MIRRORS: readonly Projection[] = [
  adminsProjection,
  apiKeysProjection, exchangeWalletsProjection, killSwitchesProjection, kybCasesProjection, merchantsProjection,
  merchantSettingsProjection, routesProjection, sandboxClocksProjection, sessionPoliciesProjection, usersProjection,
  walletsProjection,
]; // prettier-ignore

function mirrorOf<Body extends JsonObject>({ name }: ReadModel<Body>): Projection<Body> {
  return MIRRORS.find(mirror => mirror.name === name) as Projection<Body>;
}

/** A sealed text opens for the record that it was sealed for only, as a real box's does. */
class LabelledBox implements SecretBox {
  seal(plaintext: string, recordId: string): Promise<string> {
    return Promise.resolve(Buffer.from(`${recordId}|${plaintext}`).toString('base64'));
  }
  open(sealed: string, recordId: string): Promise<string> {
    const text = Buffer.from(sealed, 'base64').toString();
    if (!text.startsWith(`${recordId}|`))
      return Promise.reject(new SecretUnreadable(recordId, 'it is of another record'));
    return Promise.resolve(text.slice(recordId.length + 1));
  }
  deriveKey(purpose: DerivedKey): Promise<Uint8Array> {
    return Promise.resolve(Buffer.from(purpose.padEnd(32, '.')));
  }
}

/** The write path, its mirrors and their readers, over stores in memory, at a time that the test sets. */
export class IdentityFixture implements Clock, Entropy, ReadModels {
  nowMs = NOON;
  /** Called for each stream to be mirrored. False: the stream reaches no document, as when the put failed. */
  mirrors = (): boolean => true;
  /** The sum of all waits. */
  waitedMs = 0;
  readonly store = new MemoryEventStore();
  readonly documents = new MemoryDocuments();
  readonly secretBox = new LabelledBox();
  private readonly composed = composeAccess(this.store, this.documents, this);
  readonly access = this.composed.access;
  readonly writePath = new WritePath(this.composed.store, this, (stream, history) => this.mirror(stream, history));
  private counter = 0;

  now(): number {
    return this.nowMs;
  }

  wait(delayMs: number): Promise<void> {
    this.waitedMs += delayMs;
    return Promise.resolve();
  }

  /** Other bytes each time, the same in every run. */
  bytes(count: number): Uint8Array {
    const bytes = Buffer.alloc(count, ++this.counter % 251);
    bytes.writeUInt32BE(this.counter, 0);
    return bytes;
  }

  context<Of extends Universe, MerchantId extends string | null = string>(
    universe: Of,
    merchantId: MerchantId = MERCHANT as MerchantId,
  ): CommandContext & { readonly universe: Of; readonly merchantId: MerchantId } {
    const commandId = `command-${++this.counter}`;
    return {
      commandId,
      universe,
      merchantId,
      actor: { role: 'merchant', type: 'api_key', id: 'key_caller' },
      startedAt: this.nowMs,
      now: this.nowMs,
      requestId: null,
      correlationId: commandId,
      causationId: null,
      ip: null,
    };
  }

  async eventTypes(universe: Universe, category: string, id: string): Promise<readonly string[]> {
    return (await this.store.readStream(streamName(universe, category, id))).map(({ type }) => type);
  }

  async get<Body extends JsonObject>(readModel: ReadModel<Body>, universe: Universe, id: string, streamId = id) {
    const stored = await (await this.collection(readModel)).get(id);
    const projection = mirrorOf(readModel);
    const stream = streamName(universe, mirroredCategory(projection) ?? '', streamId);
    const from = (stored?.version ?? -1) + 1;
    const change = applyEvents(projection, await this.store.readStream(stream, { from }), () => stored).get(id);
    return change ? (change as Document<Body>) : stored;
  }

  async stored<Body extends JsonObject>(readModel: ReadModel<Body>, universes: readonly Universe[], id: string) {
    for (const universe of universes) {
      const found = await this.get(readModel, universe, id);
      if (found) return found;
    }
    return null;
  }

  freshen<Body extends JsonObject>(
    readModel: ReadModel<Body>,
    universe: Universe,
    { id }: Document<Body>,
    streamId?: string,
  ) {
    return this.get(readModel, universe, id, streamId);
  }

  async list<Body extends JsonObject>(readModel: ReadModel<Body>, query: ListQuery) {
    return (await this.collection(readModel)).list(query);
  }

  fold<Body extends JsonObject>(readModel: ReadModel<Body>, history: readonly RecordedEvent[]) {
    return [...applyEvents(mirrorOf(readModel), history, () => null).values()] as Document<Body>[];
  }

  private collection<Body extends JsonObject>({ name, indexes }: ReadModel<Body>) {
    return this.documents.open<Body>({ name, indexes });
  }

  private async mirror(stream: string, history: readonly RecordedEvent[]): Promise<void> {
    if (!this.mirrors()) return;
    const { category } = parseStreamName(stream);
    for (const projection of MIRRORS.filter(each => mirroredCategory(each) === category)) {
      const collection = await this.collection(projection);
      const changes = applyEvents(projection, history, () => null).values();
      for (const { id, version, body } of changes) if (body) await collection.putNewer({ id, version, body });
    }
  }
}
