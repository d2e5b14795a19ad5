import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { refuse } from '../vocabulary/errors';

/**
 * The optional package ships the program itself; its wrapper scripts would only put a second process in front of it.
 */
const PACKAGED_PROGRAM = '@foundry-rs/anvil-linux-amd64/bin/anvil';

/**
 * The configured program, else the installed package's, else the first `anvil` on PATH. Throws Refusal invalid_config.
 */
export function anvilProgram(configuredPath: string | null): string {
  if (configuredPath !== null) {
    if (isExecutable(configuredPath)) return configuredPath;
    throw refuse('invalid_config', { param: 'ANVIL_PATH', message: `ANVIL_PATH names no program: ${configuredPath}` });
  }
  const found = packagedProgram() ?? programOnPath();
  if (found) return found;
  const message =
    'No anvil program for the local chains: install it, set ANVIL_PATH, or switch them off by SANDBOX_CHAINS=off.';
  throw refuse('invalid_config', { param: 'ANVIL_PATH', message });
}

function packagedProgram(): string | null {
  try {
    const program = require.resolve(PACKAGED_PROGRAM);
    return isExecutable(program) ? program : null;
  } catch {
    return null;
  }
}

function programOnPath(): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute);
  return folders.map(folder => path.join(folder, 'anvil')).find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return existsSync(file);
  } catch {
    return false;
  }
}
