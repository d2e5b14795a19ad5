import { composeCore, type OpenedCore } from '../composition/core';
import { openCorePorts } from '../composition/real-ports';
import { loadConfig } from '../platform/config/config';
import { createLogger } from '../platform/logging/logger';

/** The means of a command, and the account that runs the command. `close` gives all of them back. */
export type Toolbox = OpenedCore & { readonly user: string };

/**
 * The engines and the write path by the configuration in `env`, beside a running service. The logger writes to `log`,
 * since standard output is for the answer. Throws Refusal invalid_config.
 */
export async function openToolbox(
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
  user: string,
): Promise<Toolbox> {
  const config = loadConfig(env);
  const ports = await openCorePorts(config, createLogger({ level: 'warn' }, { write: log }), 'tool');
  return { ...composeCore(config, ports), user };
}
