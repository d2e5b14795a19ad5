import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SECOND_MS, type Clock } from '../../kernel/clock';
import { PORTS } from '../../kernel/ports/injection';
import type { Log } from '../../kernel/ports/log';
import { Degraded, type AlarmedNetwork, type ReadinessCheck } from '../../kernel/ports/readiness';
import { Documented, Tagged } from './openapi-operation';
import { HEALTH_OPERATIONS, type Readiness } from './health.operations';
import { Unmetered } from './rate-limit';

/** The name under which the composition root provides its `readonly ReadinessCheck[]`. */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

const CHECK_TIMEOUT_MS = 5 * SECOND_MS;

type Found = {
  readonly state: 'ok' | 'degraded' | 'unavailable';
  readonly alarms: readonly AlarmedNetwork[];
};

@Tagged('Health')
@Unmetered()
@Controller()
export class HealthController {
  private looking: ReturnType<HealthController['look']> | null = null;

  constructor(
    @Inject(READINESS_CHECKS) private readonly checks: readonly ReadinessCheck[],
    @Inject(PORTS.clock) private readonly clock: Clock,
    @Inject(PORTS.log) private readonly log: Log,
  ) {}

  @Get('healthz')
  @Documented(HEALTH_OPERATIONS.live)
  live() {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Documented(HEALTH_OPERATIONS.ready)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    // The page is public and free: those who ask at the same time share one look at the engines.
    this.looking ??= this.look().finally(() => (this.looking = null));
    const found = await this.looking;
    const ready = found.every(({ state }) => state !== 'unavailable');
    if (!ready) reply.status(503);
    return {
      status: ready ? 'ok' : 'unavailable',
      checks: Object.fromEntries(found.map(({ name, state }) => [name, state])),
      alarms: found.flatMap(({ alarms }) => alarms),
    };
  }

  private look(): Promise<readonly (Found & { readonly name: string })[]> {
    return Promise.all(this.checks.map(async check => ({ ...(await this.stateOf(check)), name: check.name })));
  }

  /** The reason of an outage goes to the log only, since the page is public. */
  private async stateOf(check: ReadinessCheck): Promise<Found> {
    const finished = new AbortController();
    const late = this.clock.wait(CHECK_TIMEOUT_MS, finished.signal).then(() => {
      throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);
    });
    try {
      await Promise.race([check.check(), late]);
      return { state: 'ok', alarms: [] };
    } catch (error) {
      this.log.warn({ check: check.name, err: error }, 'readiness check failed');
      if (error instanceof Degraded) return { state: 'degraded', alarms: error.alarms };
      return { state: 'unavailable', alarms: [] };
    } finally {
      late.catch(() => undefined);
      finished.abort();
    }
  }
}
