import type { Engines, Ports, WatchedNetwork } from '../../src/composition/ports';
import { composeKeyring } from '../../src/composition/secrets';
import { ImageUnavailable } from '../../src/kernel/ports/image-source';
import { createLogger } from '../../src/platform/logging/logger';
import { AesSecretBox } from '../../src/platform/secrets/aes-secret-box';

const KEYS = { current: Buffer.alloc(32, 7), former: null };
const doNothing = (): Promise<void> => Promise.resolve();

export type StageGiven = Pick<Ports, 'clock' | 'entropy'> &
  Pick<Engines, 'store' | 'documents'> &
  Partial<Omit<Ports, 'engines' | 'networks'>> & {
    readonly isAlone?: boolean;
    readonly watched?: readonly WatchedNetwork[];
    /** Ends the engines; nothing unless told. */
    readonly close?: () => Promise<void>;
  };

/** The ports of a service that reaches the test's own parts, and nothing beside. */
export function stagePorts({
  store,
  documents,
  isAlone = false,
  watched = [],
  close = doNothing,
  ...given
}: StageGiven): Ports {
  return {
    secretBox: new AesSecretBox(
      composeKeyring(KEYS, { store, clock: given.clock, entropy: given.entropy }),
      given.entropy,
    ),
    log: createLogger({ level: 'silent' }),
    rates: { test: [], live: [] },
    countries: null,
    screening: { screen: () => Promise.resolve({ verdict: 'clear', source: 'test', reference: null }) },
    mail: null,
    images: { fetch: () => Promise.reject(new ImageUnavailable('nothing is fetched here')) },
    webhooks: { send: () => Promise.reject(new Error('nothing is sent here')) },
    ...given,
    engines: { store, documents, isAlone, close },
    networks: { watched, close: doNothing },
  };
}
