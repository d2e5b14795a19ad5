import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { deadlinesReadModel } from '../modules/payment-intents/deadlines.read-model';
import { OutboxReader } from '../modules/outbox/queries/outbox-reader';
import { checkpointUpTo } from '../../projections/runner/checkpoint-wait';
import { projectionsReadiness } from '../../projections/runner/projections-readiness';
import type { ReadinessCheck } from '../kernel/ports/readiness';
import { writeBehind } from '../platform/clock/write-behind';
import { createHttpApp } from '../platform/http/http-app';
import { SessionAdminAdmission } from '../modules/admins/api/session-admin-admission';
import { IdempotencyRecords } from '../platform/idempotency/idempotency-records';
import { RateLimits } from '../platform/rate-limits/rate-limits';
import { RequestLog } from '../platform/request-log/request-log';
import type { SandboxTimeParts } from '../processes/expiry/sandbox-time';
import { coverageReadiness } from '../watchers/coverage-readiness';
import { BuiltPages } from '../../web/http/built-pages';
import { lastMailOf } from '../../web/http/last-mail';
import { RealmAdmission } from '../../web/http/realm-admission';
import { AppModule } from './app.module';
import type { Core } from './core';
import { faultPagesOf } from './fault-pages';
import { composeSandbox } from './sandbox';
import type { ServiceParts } from './service-parts';
import { composeSystemReads } from './system-reads';

export type ApiOptions = {
  /** Limits in place of the configured ones; null: nothing is limited. */
  readonly rateLimits?: RateLimits | null;
  /** Given in a process whose read models are brought up to date by another process. */
  readonly deadlinesUpTo?: SandboxTimeParts['deadlinesUpTo'];
};

export type Api = {
  readonly app: NestFastifyApplication;
  readonly requestLog: RequestLog;
  /** The loops of an API that listens, by the ids of their jobs. */
  readonly loops: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>;
};

export async function composeApi(parts: ServiceParts, options: ApiOptions): Promise<Api> {
  const { core } = parts;
  const { config, documents, secretBox, clock, entropy, log, isAlone } = core;
  const requestLog = await RequestLog.open(documents, clock, log);
  const { rateLimits = await configuredLimits(core), deadlinesUpTo = deadlinesOf(parts) } = options;
  const sandbox = composeSandbox({ ...parts, deadlinesUpTo });
  const idempotency = await IdempotencyRecords.open({ documents, secretBox, clock, entropy, log, alone: isAlone });
  const built = BuiltPages.read();
  const lastMail = lastMailOf(config, await OutboxReader.open(documents));
  const readiness = readinessOf(parts);
  const module = AppModule.with({
    ...{ ...parts, sandbox, requestLog, idempotency, built, lastMail, readiness },
    system: await composeSystemReads({ ...parts, readiness }),
  });
  const app = await createHttpApp(module, {
    config,
    log,
    clock,
    entropy,
    idempotency,
    rateLimits,
    requestLog,
    faultPages: faultPagesOf(built, config),
    admission: app => app.get(RealmAdmission, { strict: false }),
    adminAdmission: app => app.get(SessionAdminAdmission, { strict: false }),
  });
  return {
    app,
    requestLog,
    loops: {
      'request-log': signal => writeBehind('request log', () => requestLog.flush(), { clock, log }, signal),
      ...(rateLimits && {
        'rate-limits': signal => writeBehind('rate limits', () => rateLimits.share(), { clock, log }, signal),
      }),
      'idempotency-records': signal => idempotency.sweep(signal),
    },
  };
}

async function configuredLimits({ config, documents, clock }: Core): Promise<RateLimits | null> {
  return config.rateLimits && RateLimits.open(documents, clock, config.rateLimits);
}

function deadlinesOf({ core, runner }: ServiceParts): SandboxTimeParts['deadlinesUpTo'] {
  const { name } = deadlinesReadModel;
  if (!core.config.roles.includes('projections')) return checkpointUpTo(name, core);
  return (position, timeoutMs) => runner.waitFor(name, position, timeoutMs);
}

function readinessOf({ core, payments, runner, watch }: ServiceParts): readonly ReadinessCheck[] {
  const { store, documents } = core;
  return [
    { name: 'event_store', check: async () => void (await store.lastPosition()) },
    { name: 'document_store', check: async () => void (await documents.open({ name: 'readiness', indexes: {} })) },
    projectionsReadiness(runner, watch),
    coverageReadiness(payments.watchers),
  ];
}
