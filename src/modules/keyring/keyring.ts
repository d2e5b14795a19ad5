import { BoundedMap } from '../../kernel/bounded-map';
import type { Clock } from '../../kernel/clock';
import type { CommandContext, SystemPart } from '../../kernel/command-context';
import { randomUuid, type Entropy } from '../../kernel/entropy';
import type { Actor } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import {
  DATA_KEY_BYTES,
  SERVICE_PURPOSES,
  type DataKey,
  type DataKeys,
  type ServicePurpose,
  type WrappingKey,
} from '../../kernel/ports/data-keys';
import type { EventStore } from '../../kernel/ports/event-store';
import { SecretUnreadable, type SecretOwner } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { isRefusal, refuse, type Refusal } from '../../vocabulary/errors';
import { dataKeys, ownerKeyName, SERVICE_KEY, type WrappedKey } from './keyring.decider';
import type { Wrapping } from './keyring.events';
import { censusLine, keyCensus, openedBy, type ConfiguredKey, type KeyCensus } from './keyring-census';
import { oldestSecret, wrappingsByName } from './log-reading';

/** Keys held in memory; a further one costs a read of its stream. */
const KNOWN_LIMIT = 16_384;
const NAME = /^[a-z]+_\w+$/;
/** Remedies of a key that is not the log's. */
const NEWER_KEY =
  'A newer key has replaced it: set that one. Where that one is lost, run `keys rotate` with a new SECRET_KEY, and ' +
  'with the key that opens most as SECRET_KEY_FORMER.';
const OTHER_KEY = 'Set the former key, or name that in SECRET_KEY_FORMER and run `keys rotate`.';
const PART: SystemPart = 'keyring';
const SERVICE: Actor = { role: 'admin', type: 'system', id: PART };

/**
 * `former` is in use beside the current key until a rotation ends, and null where no other key is. `replaced` opens
 * what it has wrapped, and wraps nothing.
 */
type WrappingKeys = {
  readonly current: ConfiguredKey;
  readonly former: ConfiguredKey | null;
  readonly replaced: ConfiguredKey | null;
};

/** The data keys of the log in number, those that were wrapped anew, and the names of those that no key opens. */
type Rotated = { readonly keys: number; readonly wrapped: number; readonly unreadable: readonly string[] };

export type KeyringMeans = { readonly store: EventStore; readonly clock: Clock; readonly entropy: Entropy };

/**
 * The data keys of a log, each wrapped by the keys of the configuration. A data key never changes and is read once. So
 * a process goes on while another one wraps the keys anew.
 */
export class Keyring implements DataKeys {
  private readonly writes: WritePath;
  private readonly known = new BoundedMap<string, Promise<Uint8Array>>(KNOWN_LIMIT);
  /** Keys that wrap new data keys, the current one last. Until a rotation ends, a process may have the former alone. */
  private wrapping: readonly WrappingKey[];

  constructor(
    private readonly keys: WrappingKeys,
    private readonly means: KeyringMeans,
  ) {
    this.writes = new WritePath(means.store, means.clock, () => Promise.resolve());
    this.wrapping = this.used;
  }

  /** Makes the service's key in a log that has none. Throws Refusal invalid_config as `check` does. */
  async open(): Promise<void> {
    await this.service();
  }

  /**
   * Throws Refusal invalid_config where the keys are not those of the log. Writes nothing: a log without keys gets its
   * first one when that is used.
   */
  async check(): Promise<void> {
    const { wrappings } = await this.read(SERVICE_KEY);
    if (wrappings.length > 0) await this.opened(wrappings);
    else await this.origin();
  }

  /** How many data keys of the log each key opens. Null unless several keys are in use, as while a rotation lasts. */
  async census(): Promise<KeyCensus | null> {
    return this.keys.former === null ? null : this.countKeys();
  }

  async ofService(purpose: ServicePurpose): Promise<Uint8Array> {
    const bytes = await this.service();
    const start = SERVICE_PURPOSES.indexOf(purpose) * DATA_KEY_BYTES;
    return bytes.subarray(start, start + DATA_KEY_BYTES);
  }

  async ofOwner({ universe, merchantId }: SecretOwner): Promise<DataKey> {
    const name = ownerKeyName(universe, merchantId);
    return { name, bytes: await this.once(name, () => this.owned(name, merchantId)) };
  }

  async named(name: string): Promise<Uint8Array | null> {
    const known = this.known.get(name);
    if (known || !NAME.test(name)) return known ?? null;
    const { wrappings } = await this.read(name);
    return wrappings.length > 0 ? this.once(name, () => Promise.resolve(this.unwrapped(name, wrappings))) : null;
  }

  /**
   * Wraps each data key by the current key where that is not done yet, the service's own key last of those known. From
   * then on only the current key starts a process. Each data key is opened by any of its wrappings, so a lost key takes
   * only those data keys along that it alone has wrapped. A data key that no key opens is left as it is, and named.
   */
  async rotate(actor: Actor, signal?: AbortSignal): Promise<Rotated> {
    await this.serviceByAnyKey();
    const names = new Set((await wrappingsByName(this.means.store)).keys());
    let wrapped = 0;
    const unreadable: string[] = [];
    const wrap = async (some: readonly string[]): Promise<void> => {
      for (const name of some) {
        signal?.throwIfAborted();
        try {
          wrapped += await this.rewrap(name, actor);
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          unreadable.push(name);
        }
      }
    };
    await wrap([...names].filter(each => each !== SERVICE_KEY).concat(SERVICE_KEY));
    // Until here, a process with the former key alone may have made further data keys.
    const further = [...(await wrappingsByName(this.means.store)).keys()].filter(each => !names.has(each));
    await wrap(further);
    return { keys: names.size + further.length, wrapped, unreadable };
  }

  private get used(): readonly WrappingKey[] {
    const { current, former } = this.keys;
    return former === null ? [current.key] : [former.key, current.key];
  }

  /** The keys that open data keys, the current one first. */
  private get all(): readonly ConfiguredKey[] {
    const { current, former, replaced } = this.keys;
    return [current, former, replaced].filter(each => each !== null);
  }

  private countKeys(): Promise<KeyCensus> {
    return keyCensus(this.means.store, this.all);
  }

  /** A rotation may begin after the newest key was lost. Throws Refusal invalid_config where no key opens it. */
  private async serviceByAnyKey(): Promise<void> {
    const { wrappings } = await this.read(SERVICE_KEY);
    if (wrappings.length === 0) await this.service();
    else if (this.openedByAny(SERVICE_KEY, wrappings) === null) throw await this.wrongKey(wrappings);
  }

  private service(): Promise<Uint8Array> {
    return this.once(SERVICE_KEY, async () => {
      const { wrappings } = await this.read(SERVICE_KEY);
      if (wrappings.length > 0) return this.opened(wrappings);
      const origin = await this.origin();
      return this.opened(await this.make(SERVICE_KEY, origin.serviceKey(), null));
    });
  }

  private async owned(name: string, merchantId: string | null): Promise<Uint8Array> {
    // The service's key is the one by which a start knows its log, so the log has it before any other key.
    await this.service();
    const { wrappings } = await this.read(name);
    if (wrappings.length > 0) return this.unwrapped(name, wrappings);
    await this.refuseFormer();
    return this.unwrapped(name, await this.make(name, this.means.entropy.bytes(DATA_KEY_BYTES), merchantId));
  }

  /** Throws Refusal provider_unavailable where a rotation has ended since this process started with the former key. */
  private async refuseFormer(): Promise<void> {
    const { wrappings } = await this.read(SERVICE_KEY);
    if (this.newest(wrappings)) return;
    const message = '`keys rotate` has replaced the SECRET_KEY of this process. Start it again with the new key.';
    throw refuse('provider_unavailable', { message });
  }

  /** The service's key. The newest wrapping decides: after a rotation, the former key starts no process. */
  private async opened(wrappings: readonly Wrapping[]): Promise<Uint8Array> {
    const newest = this.newest(wrappings);
    if (!newest) throw await this.wrongKey(wrappings);
    return newest.key.unwrap(newest.wrapped, SERVICE_KEY);
  }

  /** The newest wrapping of the service's key; null for another key's. After a rotation, the former key is not used. */
  private newest(wrappings: readonly Wrapping[]): { readonly key: WrappingKey; readonly wrapped: string } | null {
    const newest = wrappings.at(-1);
    const key = this.used.find(({ id }) => id === newest?.wrapping_key);
    if (!key || !newest) return null;
    if (key === this.keys.current.key) this.wrapping = [key];
    return { key, wrapped: newest.wrapped };
  }

  private unwrapped(name: string, wrappings: readonly Wrapping[]): Uint8Array {
    const bytes = this.openedByAny(name, wrappings);
    if (bytes !== null) return bytes;
    if (this.isWrappedBy(wrappings)) throw new SecretUnreadable(name, 'its wrappings are damaged');
    const message = `The data key ${name} is wrapped by another SECRET_KEY. \`keys rotate\` wraps it anew.`;
    throw refuse('provider_unavailable', { message });
  }

  /** Whether a configured key has made one of the wrappings. */
  private isWrappedBy(wrappings: readonly Wrapping[]): boolean {
    return wrappings.some(({ wrapping_key }) => this.all.some(({ key }) => key.id === wrapping_key));
  }

  private openedByAny(name: string, wrappings: readonly Wrapping[]): Uint8Array | null {
    for (const { key } of this.all) {
      const bytes = openedBy(key, name, wrappings);
      if (bytes !== null) return bytes;
    }
    return null;
  }

  /** The key from which the service's own one is made. A log from before has secrets, which that key must open. */
  private async origin(): Promise<WrappingKey> {
    const oldest = await oldestSecret(this.means.store);
    const key = this.used.toReversed().find(each => !oldest || !each.isForeign(oldest.sealed, oldest.recordId));
    if (!key) throw await this.wrongKey([]);
    return key;
  }

  /** The wrappings as they stand then. Another process may have made the key first. */
  private async make(name: string, bytes: Uint8Array, merchantId: string | null): Promise<readonly Wrapping[]> {
    const [first, ...further] = this.wrapping.map(key => wrappingBy(key, bytes, name));
    invariant(first, 'a data key is wrapped by a key at least');
    const command = { type: 'make', wrappings: [first, ...further] } as const;
    const { state } = await this.writes.execute(dataKeys, name, command, this.context(SERVICE, merchantId));
    return state.wrappings;
  }

  private async rewrap(name: string, actor: Actor): Promise<number> {
    const { current } = this.keys;
    const context = this.context(actor, null);
    const { events } = await this.writes.executePlan(
      dataKeys,
      name,
      ({ history }, wrapping: Wrapping | null) => {
        if (wrapping === null) return null;
        const merchantId = history[0]?.metadata.merchant_id ?? null;
        return { command: { type: 'rewrap' as const, wrapping }, context: { ...context, merchantId } };
      },
      { universe: 'platform', commandId: context.commandId },
      {
        find: async ({ state: { wrappings } }) => {
          if (wrappings.at(-1)?.wrapping_key === current.key.id) return null;
          const bytes = await this.once(name, () => Promise.resolve(this.unwrapped(name, wrappings)));
          return wrappingBy(current.key, bytes, name);
        },
      },
    );
    return events.length;
  }

  private async read(name: string): Promise<WrappedKey> {
    return (await this.writes.load(dataKeys, 'platform', name)).state;
  }

  /** Found once for all callers; a failure is forgotten. */
  private once(name: string, find: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const known = this.known.get(name);
    if (known) return known;
    const finding = find();
    this.known.set(name, finding);
    finding.catch(() => this.known.delete(name));
    return finding;
  }

  /** The refusal of keys that are not the log's, by the wrappings of the service's key. */
  private async wrongKey(wrappings: readonly Wrapping[]): Promise<Refusal> {
    const { source } = this.keys.current;
    const facts = [`${source} is not the key of these data.`, censusLine(await this.countKeys())];
    const message = [...facts, this.isWrappedBy(wrappings) ? NEWER_KEY : OTHER_KEY]
      .filter(each => each !== '')
      .join(' ');
    return refuse('invalid_config', { param: 'SECRET_KEY', message });
  }

  private context(actor: Actor, merchantId: string | null): CommandContext {
    const [commandId, now] = [randomUuid(this.means.entropy), this.means.clock.now()];
    const none = { requestId: null, causationId: null, ip: null };
    const told = { commandId, correlationId: commandId, isFirstTry: true, startedAt: now, now };
    return { ...told, ...none, actor, merchantId, universe: 'platform' };
  }
}

function wrappingBy(key: WrappingKey, bytes: Uint8Array, name: string): Wrapping {
  return { wrapping_key: key.id, wrapped: key.wrap(bytes, name) };
}

/** The log's outages are StoreUnavailable, and no Refusal. */
function isUnreadable(error: unknown): boolean {
  return isRefusal(error, 'provider_unavailable') || error instanceof SecretUnreadable;
}
