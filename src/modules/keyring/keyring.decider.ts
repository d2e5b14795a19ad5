import { invariant, unreachable } from '../../kernel/invariant';
import type { Universe } from '../../vocabulary/modes';
import type { Aggregate } from '../../kernel/write-path';
import type { KeyringEvent, Wrapping } from './keyring.events';

/** The name of the service's own key. */
export const SERVICE_KEY = 'service';

/** Rewrappings of one key. A rotation each day for ten years stays below. */
const WRAPPINGS_LIMIT = 4_000;

/** The oldest wrapping first; none where the key was not made. */
export type WrappedKey = { readonly wrappings: readonly Wrapping[] };

type KeyringCommand =
  /** All of them wrap the same bytes. The last one is the current key's. */
  | { readonly type: 'make'; readonly wrappings: readonly [Wrapping, ...Wrapping[]] }
  | { readonly type: 'rewrap'; readonly wrapping: Wrapping };

/** A name is the id of the key's stream, and stands in every text that the key has sealed. */
export function ownerKeyName(universe: Universe, merchantId: string | null): string {
  return `${universe}_${merchantId ?? 'operator'}`;
}

/** A key that exists is not made again: of two processes that make it at once, the first one's key counts. */
function decide(command: KeyringCommand, { wrappings }: WrappedKey): readonly KeyringEvent[] {
  switch (command.type) {
    case 'make': {
      if (wrappings.length > 0) return [];
      const [first, ...further] = command.wrappings;
      return [
        { type: 'DataKeyMade', data: first },
        ...further.map(data => ({ type: 'DataKeyRewrapped', data }) as const),
      ];
    }
    case 'rewrap': {
      const newest = wrappings.at(-1);
      invariant(newest, 'a data key is made before it is wrapped anew');
      invariant(wrappings.length < WRAPPINGS_LIMIT, `a data key has ${WRAPPINGS_LIMIT} wrappings or more`);
      if (newest.wrapping_key === command.wrapping.wrapping_key) return [];
      return [{ type: 'DataKeyRewrapped', data: command.wrapping }];
    }
    default:
      return unreachable(command);
  }
}

function evolve({ wrappings }: WrappedKey, { data }: KeyringEvent): WrappedKey {
  return { wrappings: [...wrappings, data] };
}

/** A data key by its name; each has a stream of its own. */
export const dataKeys: Aggregate<WrappedKey, KeyringCommand, KeyringEvent> = {
  category: 'keyring',
  // No request names a data key.
  notFound: null,
  initial: { wrappings: [] },
  decide,
  evolve,
};
