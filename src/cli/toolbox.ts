import { composeCore, type OpenedCore } from '../composition/core';
import { openCorePorts } from '../composition/real-ports';
import { loadConfig } from '../platform/config/config';
import { createLogger } from '../platform/logging/logger';

/** The means of a command, and the account that runs it. `close` gives it all back. */
export type Toolbox = OpenedCore & { readonly user: string };

/**
 * The engines and the write path as the configuration in `env` says, beside a running service. What is logged goes to
 * `log`, since standard output is the answer's. Throws Refusal invalid_config.
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
