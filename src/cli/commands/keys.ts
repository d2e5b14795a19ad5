import { join } from 'node:path';
import { Command } from 'commander';
import { composeKeyring } from '../../composition/secrets';
import type { Config } from '../../platform/config/config';
import { FileLock } from '../../platform/embedded-file/file-lock';
import { SERVICE_LOCK_FILE } from '../../platform/embedded-file/service-lock';
import { adoptNextMasterKey, loadNextMasterKeys, type MasterKeys } from '../../platform/secrets/master-key';
import { refuse } from '../../vocabulary/errors';
import { example, perform, type Answer, type Session } from '../cli-command';
import { operatorContext } from '../operator-context';
import { EXIT_CODES, type Terminal } from '../terminal';
import type { Toolbox } from '../toolbox';

/** The keys of a rotation. */
type Rotation = {
  readonly keys: MasterKeys;
  /** Called once all data keys are wrapped by the new key. */
  readonly finish: () => void;
  readonly release: () => void;
  /** The operator's next step. */
  readonly next: string;
};

const doNothing = (): void => undefined;

export function keysCommand(session: Session): Command {
  const keys = new Command('keys').description('The data keys, which encrypt all stored secrets.');
  keys
    .command('rotate')
    .description(
      'Wraps all data keys by SECRET_KEY, in place of SECRET_KEY_FORMER. Without SECRET_KEY, makes a new secret.key.',
    )
    .addHelpText('after', example('keys rotate'))
    .action((_: object, command: Command) => perform(session, command, rotate, { keys: 'changed' }));
  return keys;
}

/** A rotation that was broken off is ended by the next one. */
async function rotate(toolbox: Toolbox, { signal }: Terminal): Promise<Answer> {
  const { config, recordedStore: store, clock, entropy } = toolbox;
  const { keys, finish, release, next } = beginRotation(toolbox);
  try {
    const keyring = composeKeyring(keys, { store, clock, entropy });
    const { keys: count, wrapped, unreadable } = await keyring.rotate(operatorContext(toolbox).actor, signal);
    finish();
    return {
      json: { data_keys: count, wrapped, unreadable, secret_key_file: config.secretKey === null },
      lines: [`${wrapped} of ${count} data keys were wrapped anew.`, next, ...unreadable.map(unreadableKey)],
      exitCode: unreadable.length > 0 ? EXIT_CODES.failed : EXIT_CODES.ok,
    };
  } finally {
    release();
  }
}

function unreadableKey(name: string): string {
  const remedy = 'Its secrets stay closed. To take it up, run `keys rotate` with its key as SECRET_KEY_FORMER.';
  return `No key at hand opens the data key ${name}. ${remedy}`;
}

function beginRotation({ config, entropy }: Pick<Toolbox, 'config' | 'entropy'>): Rotation {
  const { secretKey, formerSecretKey, dataFolder } = config;
  if (secretKey !== null) {
    if (formerSecretKey === null) throw noNewKey();
    const next = 'Every process takes the new key from now on. Remove SECRET_KEY_FORMER.';
    return { keys: { current: secretKey, former: formerSecretKey }, finish: doNothing, release: doNothing, next };
  }
  const release = holdFolder(config);
  const keys = loadNextMasterKeys(dataFolder, entropy);
  const next = 'secret.key holds the new key. Start the service.';
  return { keys, finish: () => adoptNextMasterKey(dataFolder), release, next };
}

/** A running service would go on with the former key, and wrap new data keys by it alone. */
function holdFolder({ dataFolder }: Config): () => void {
  const lock = FileLock.take(join(dataFolder, SERVICE_LOCK_FILE));
  if (lock) return () => lock.release();
  const message = `A service is running on the data folder ${dataFolder}. Stop it first: it has the former secret.key.`;
  throw refuse('invalid_config', { param: 'DATA_FOLDER', message });
}

function noNewKey() {
  const message = 'Set SECRET_KEY to the new key, and SECRET_KEY_FORMER to the key in use.';
  return refuse('invalid_config', { param: 'SECRET_KEY_FORMER', message });
}
