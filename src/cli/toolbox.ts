import { openCore, type OpenedCore } from '../core';
import { loadConfig } from '../platform/config/config';
import { createLogger } from '../platform/logging/logger';

/** What a command works with. `close` gives it all back. */
export type Toolbox = OpenedCore;

/**
 * The engines and the write path as the configuration in `env` says, beside a running service. What is logged goes to `log`, since
 * standard output is the answer's. Throws Refusal invalid_config.
 */
export async function openToolbox(
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): Promise<Toolbox> {
  return openCore(loadConfig(env), createLogger({ level: 'warn' }, { write: log }), 'tool');
}
