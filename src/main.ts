import 'reflect-metadata';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { isRefusal } from './vocabulary/errors';
import { loadConfig } from './platform/config/config';
import { warnOfUnknownVariables } from './platform/config/unknown-variables';
import { createLogger } from './platform/logging/logger';
import { terminalLines } from './platform/logging/terminal-lines';
import { startService, stopInTime } from './composition/start-service';
import { StartStopped } from './platform/clock/start-when-reachable';
import { SystemClock } from './platform/clock/system-clock';

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLogger({ level: config.logLevel }, (await terminalLines(process.stdout)) ?? undefined);
  warnOfUnknownVariables(process.env, log);
  const stopping = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT']) process.once(name, () => stopping.abort());
  const { signal } = stopping;
  const service = await startService(config, log, { signal });
  if (!signal.aborted) await once(signal, 'abort');
  process.exit((await stopInTime(service, new SystemClock(), log)) ? 0 : 1);
}

main().catch((error: unknown) => {
  if (error instanceof StartStopped) process.exit(0);
  // A refusal names the fault of the configuration; its stack says nothing more.
  process.stderr.write(isRefusal(error) ? `${error.code}: ${error.message}\n` : `${inspect(error)}\n`);
  process.exit(1);
});
