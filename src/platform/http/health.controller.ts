import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../kernel/clock';
import { PORTS } from '../../kernel/ports/injection';
import type { Log } from '../../kernel/ports/log';
import type { ReadinessCheck } from '../../kernel/ports/readiness';
import { Documented, Tagged } from './openapi-operation';
import { HEALTH_OPERATIONS, type Readiness } from './health.operations';
import { Unmetered } from './rate-limit';
import { lookAt, type ReadinessFinding } from './readiness-look';

/** The name under which the composition root provides its `readonly ReadinessCheck[]`. */
export const READINESS_CHECKS = Symbol('ReadinessChecks');

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

  /** The reason of an outage goes to the log only, since the page is public. */
  private look(): Promise<readonly ReadinessFinding[]> {
    return Promise.all(
      this.checks.map(async check => {
        const finding = await lookAt(check, this.clock);
        if (finding.error) this.log.warn({ check: check.name, err: finding.error }, 'readiness check failed');
        return finding;
      }),
    );
  }
}
