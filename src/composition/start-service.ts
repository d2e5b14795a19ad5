import { isDoneWithin, SECOND_MS, type Clock } from '../kernel/clock';
import type { Log } from '../kernel/ports/log';
import { SystemClock } from '../platform/clock/system-clock';
import { SystemEntropy } from '../platform/clock/system-entropy';
import { startWhenReachable } from '../platform/clock/start-when-reachable';
import type { Config } from '../platform/config/config';
import { embeddedPath } from '../platform/embedded-file/embedded-file';
import { damageMet } from '../platform/embedded-file/sqlite-errors';
import { StartingServer } from '../platform/http/starting-server';
import type { Logger } from '../platform/logging/logger';
import { compose } from './compose';
import { enginesAtStart, type Connectors } from './engines';
import { startingPages } from './fault-pages';
import { closePorts, type Ports } from './ports';
import { openPorts } from './real-ports';
import type { Service } from './service';

type StartOptions = {
  /** Calls the start off; `stop` then stops the parts that have started. */
  readonly signal?: AbortSignal;
  readonly connectors?: Connectors;
};

/**
 * Resolves when the service answers. While an engine is away the start waits, alive and not ready. Throws Refusal
 * invalid_config or invalid_token_config, and StartStopped once `signal` aborts. Only local chains are left running
 * then.
 */
export async function startService(
  config: Config,
  log: Logger,
  { signal, connectors }: StartOptions = {},
): Promise<Service> {
  const [clock, entropy] = [new SystemClock(), new SystemEntropy()];
  const checks = enginesAtStart(config);
  const servesApi = config.roles.includes('api');
  log.info({ roles: config.roles, ...(servesApi && { url: config.publicUrl, docs: config.docsUrl }) }, 'starting');
  const pages = () => startingPages(config);
  const starting = servesApi
    ? await StartingServer.listen(config.port, config.host, { urls: config, clock, entropy, log, checks, pages })
    : null;
  const attempt = async (): Promise<Service> => {
    Object.assign(checks, enginesAtStart(config));
    try {
      const ports = await openPorts(config, log, { connectors, onOpen: engine => (checks[engine] = 'ok') });
      return await startOn(config, ports, starting);
    } catch (error) {
      // The store calls a damaged file unavailable, and no waiting would mend it.
      throw damageMet(error, embeddedPath(config.dataFolder)) ?? error;
    }
  };
  try {
    return await startWhenReachable(attempt, { clock, log }, signal ?? new AbortController().signal);
  } finally {
    await starting?.close();
  }
}

/** Shorter than the 30 seconds after which common supervisors kill a process. */
export const STOP_MS = 25 * SECOND_MS;

/**
 * False where work under way has not ended within `STOP_MS`. The caller then ends the process: whatever was recorded
 * stays, and the next start goes on from there.
 */
export async function stopInTime(service: Pick<Service, 'stop'>, clock: Clock, log: Log): Promise<boolean> {
  const isStopped = await isDoneWithin(clock, STOP_MS, service.stop());
  if (!isStopped) log.error({ after_ms: STOP_MS }, 'work under way has not ended in time: the process ends without it');
  return isStopped;
}

async function startOn(config: Config, ports: Ports, starting: StartingServer | null): Promise<Service> {
  let service: Service | null = null;
  try {
    service = await compose(config, ports);
    await service.start();
    if (config.roles.includes('api')) await service.listen(async () => starting?.close());
    return service;
  } catch (error) {
    if (service) await service.stop();
    else await closePorts(ports);
    throw error;
  }
}
