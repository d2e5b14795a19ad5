import type { WrappingKey } from '../../kernel/ports/data-keys';
import type { EventStore } from '../../kernel/ports/event-store';
import { SecretUnreadable } from '../../kernel/ports/secret-box';
import type { Wrapping } from './keyring.events';
import { wrappingsByName } from './log-reading';

/** A key of the configuration, with the name of its variable or of its file. */
export type ConfiguredKey = { readonly source: string; readonly key: WrappingKey };

/** The data keys of a log in number, and those of them that each configured key opens. */
export type KeyCensus = {
  readonly keys: number;
  readonly opened: readonly { readonly source: string; readonly keys: number }[];
};

/** Reads all data keys of the log. */
export async function keyCensus(store: EventStore, configured: readonly ConfiguredKey[]): Promise<KeyCensus> {
  const known = [...(await wrappingsByName(store))];
  const opened = configured.map(({ source, key }) => {
    return { source, keys: known.filter(([name, wrappings]) => openedBy(key, name, wrappings) !== null).length };
  });
  return { keys: known.length, opened };
}

/** One line for the operator; empty where the log has no data key. */
export function censusLine({ keys, opened }: KeyCensus): string {
  if (keys === 0) return '';
  return `Of ${keys} data keys, ${opened.map(each => `${each.source} opens ${each.keys}`).join(', ')}.`;
}

/** The data key by its newest wrapping that the key opens. Null where the key has made none, or all are damaged. */
export function openedBy(key: WrappingKey, name: string, wrappings: readonly Wrapping[]): Uint8Array | null {
  for (const { wrapping_key, wrapped } of wrappings.toReversed()) {
    if (wrapping_key !== key.id) continue;
    try {
      return key.unwrap(wrapped, name);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  }
  return null;
}
