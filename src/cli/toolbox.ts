import { existsSync } from 'node:fs';
import path from 'node:path';
import { composeCore, type OpenedCore } from '../composition/core';
import { openCorePorts } from '../composition/real-ports';
import { loadConfig, type Config } from '../platform/config/config';
import { EMBEDDED_FILE_NAME } from '../platform/embedded-file/embedded-file';
import { warnOfUnknownVariables } from '../platform/config/unknown-variables';
import { createLogger } from '../platform/logging/logger';
import { KEY_FILE_NAME } from '../platform/secrets/master-key';
import { refuse } from '../vocabulary/errors';

/** The means of a command, and the account that runs the command. `close` gives all of them back. */
export type Toolbox = OpenedCore & { readonly user: string };

export type ToolboxOptions = {
  /** A new data folder is made where there is none; any other command refuses to work on no data. */
  readonly makesData?: boolean;
  /**
   * The command opens no secret, so no key of the log is asked for. `unneeded`: the command needs no `SECRET_KEY` at
   * all. `changed`: the command itself deals with the keys.
   */
  readonly keys?: 'unneeded' | 'changed';
};

/**
 * The engines and the write path by the configuration in `env`, beside a running service. The logger writes to `log`,
 * since standard output is for the answer. Throws Refusal invalid_config, also where there are no data.
 */
export async function openToolbox(
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
  user: string,
  { makesData = false, keys }: ToolboxOptions = {},
): Promise<Toolbox> {
  const logger = createLogger({ level: 'warn' }, { write: log });
  const config = loadConfig(env, { needsKey: keys !== 'unneeded' });
  warnOfUnknownVariables(env, logger);
  if (!makesData) refuseMissingData(config, keys !== 'unneeded');
  const ports = await openCorePorts(config, logger, 'tool', {
    keyless: keys !== undefined,
  });
  return { ...composeCore(config, ports), user };
}

/** A folder that is not the service's would be given a log and a key of its own, and the command would find nothing. */
function refuseMissingData({ dataFolder, eventStoreUrl, mongodbUrl, secretKey }: Config, needsKey: boolean): void {
  const isEmbedded = eventStoreUrl === null || mongodbUrl === null;
  const isKeyInFile = needsKey && secretKey === null;
  const files = [...(isEmbedded ? [EMBEDDED_FILE_NAME] : []), ...(isKeyInFile ? [KEY_FILE_NAME] : [])];
  const missing = files.find(name => !existsSync(path.join(dataFolder, name)));
  if (missing === undefined) return;
  const looked = `Looked in ${path.resolve(dataFolder)} and found no ${missing}.`;
  const remedy = "Run the command in the service's folder, or set DATA_FOLDER as the service does.";
  const message = `${looked} ${remedy} The start of a service makes new data, and so does \`merchant create --new-data\`.`;
  throw refuse('invalid_config', { param: 'DATA_FOLDER', message });
}
