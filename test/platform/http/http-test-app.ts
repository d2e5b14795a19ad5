import { Body, Controller, Get, Module, Param, Post, Put, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, Length, Matches, ValidateNested } from 'class-validator';
import { Writable } from 'node:stream';
import type { Clock } from '../../../src/kernel/clock';
import type { Entropy } from '../../../src/kernel/entropy';
import { refuse, type ErrorCode } from '../../../src/vocabulary/errors';
import type { Mode } from '../../../src/vocabulary/modes';
import { OutcomeUnknown, StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { PORTS } from '../../../src/kernel/ports/injection';
import type { AuthenticatedKey } from '../../../src/vocabulary/authenticated-key';
import { KeyAuthentication, MfaVerification, type MfaAttempt } from '../../../src/platform/http/authentication';
import { CurrentCaller, HighRisk, RequireKey, RequireScope, type Caller } from '../../../src/platform/http/caller';
import type { ReadinessCheck } from '../../../src/kernel/ports/readiness';
import { FileAnswer } from '../../../src/platform/http/file-answer';
import { HealthController, READINESS_CHECKS } from '../../../src/platform/http/health.controller';
import { Text } from '../../../src/platform/http/fields/text-fields';
import { Amount, Whole } from '../../../src/platform/http/fields/value-fields';
import { createHttpApp, type HttpOptions } from '../../../src/platform/http/http-app';
import { parsePage } from '../../../src/platform/http/lists';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import { createLogger } from '../../../src/platform/logging/logger';
import { authenticatedKey } from '../../support/authenticated-key';

export const NOW = Date.UTC(2026, 10, 1, 12);
export const KEYS = {
  full: 'sk_test_full',
  live: 'sk_live_full',
  reader: 'rk_test_reader',
  creator: 'rk_test_creator',
  second: 'sk_test_second',
  third: 'sk_test_third',
  fourth: 'sk_test_fourth',
  publishable: 'pk_test_checkout',
  revoked: 'sk_test_revoked',
} as const;

const standing: Clock = {
  now: () => NOW,
  wait: (_, signal) => new Promise(done => signal?.addEventListener('abort', () => done())),
};
const entropy: Entropy = { bytes: count => new Uint8Array(count).fill(7) };

class KnownKeys extends KeyAuthentication {
  async authenticate(text: string): Promise<AuthenticatedKey> {
    if (text === KEYS.revoked) throw refuse('api_key_revoked');
    const mode: Mode = text.includes('_live_') ? 'live' : 'test';
    const kind = text.slice(0, 2) as AuthenticatedKey['kind'];
    const name = Object.entries(KEYS).find(([, known]) => known === text)?.[0];
    const own = { merchantId: 'mch_1', keyId: `key_${name}`, mode, kind, nowMs: NOW };
    if (text === KEYS.reader) return authenticatedKey({ ...own, scopes: ['payment:read'] });
    if (text === KEYS.creator) return authenticatedKey({ ...own, scopes: ['payment:create'] });
    if ((Object.values(KEYS) as string[]).includes(text)) return authenticatedKey(own);
    throw refuse('invalid_api_key');
  }
}

export class RecordingMfa extends MfaVerification {
  readonly attempts: MfaAttempt[] = [];

  async verify(attempt: MfaAttempt): Promise<void> {
    this.attempts.push(attempt);
    if (attempt.code === null && attempt.proof === null) throw refuse('mfa_required');
  }
}

class RouteEntry {
  @Text()
  wallet_id!: string;

  @Whole({ min: 0, max: 100, code: 'invalid_bps' })
  bps!: number;
}

class OrderDto {
  @Amount('Minor units', '2500')
  amount!: string;

  @Length(3, 3)
  @Matches(/^[A-Z]{3}$/, { context: { code: 'invalid_currency' } })
  currency!: string;

  @Whole({ presence: 'nullable', min: 1, max: 9 })
  count?: number | null;

  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown>;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => RouteEntry)
  routes?: RouteEntry[];
}

@Controller('v1/orders')
class OrdersController {
  @Post()
  @RequireScope('payment:create')
  create(@Body() body: OrderDto) {
    return body;
  }

  @Get()
  @RequireScope('payment:read')
  list(@Query() query: Record<string, unknown>) {
    return parsePage(query, ['status']);
  }

  @Get(':id')
  @RequireScope('payment:read')
  get(@Param('id') id: string) {
    return { id };
  }

  @Post(':id/cancel')
  @RequireScope('payment:create')
  cancel(@CurrentCaller() { limits, ...caller }: Caller) {
    // Amounts are no JSON numbers.
    const { ceilingUsdMinorUnits, velocity } = limits;
    return {
      ...caller,
      limits: { ceilingUsdMinorUnits: String(ceilingUsdMinorUnits), velocity },
    };
  }

  @Put()
  @RequireScope('wallet:manage')
  @HighRisk('order.replace')
  replace(@Body() body: OrderDto) {
    return body;
  }
}

const FAULTS: Record<string, () => Error> = {
  bug: () => new Error('the password of the database is hunter2'),
  refusal: () => refuse('wallet_not_verified', { param: 'wallet_id' }),
  provider: () => refuse('provider_response_invalid', { message: 'https://inner.example said nonsense' }),
  store: () => new StoreUnavailable('connection refused'),
  outcome: () => new OutcomeUnknown('no answer'),
};

const PART_RECORDS = 10_000;

/** The work of a slow request goes on when `gate` resolves. */
class Slow {
  gate: Promise<void> = Promise.resolve();
  /** Passes between two parts of a file. */
  silence: Promise<void> = Promise.resolve();
  reached = 0;
  ended = 0;

  async *endless(): AsyncGenerator<string> {
    this.reached += 1;
    try {
      await this.gate;
      for (;;) {
        yield 'a,b\r\n'.repeat(PART_RECORDS);
        await this.silence;
      }
    } finally {
      this.ended += 1;
    }
  }
}

@Controller()
class OddController {
  constructor(private readonly slow: Slow) {}

  @Get('v1/slow')
  @RequireKey()
  async wait() {
    this.slow.reached++;
    await this.slow.gate;
    return { ok: true };
  }

  /** A file without an end, which begins when `gate` resolves. */
  @Get('v1/file')
  @RequireKey()
  file() {
    return FileAnswer.begin({ name: 'file.csv', contentType: 'text/csv' }, this.slow.endless());
  }

  @Get('v1/any_key')
  @RequireKey()
  anyKey() {
    return { ok: true };
  }

  @Get('v1/missing/:code')
  @RequireKey()
  missing(@Param('code') code: ErrorCode, @Query() { message }: { message?: string }): never {
    throw refuse(code, message === undefined ? {} : { message });
  }

  @Get('v1/forgotten')
  forgotten() {
    return { ok: true };
  }

  @Get('fault/:kind')
  fault(@Param('kind') kind: string): never {
    throw (FAULTS[kind] as () => Error)();
  }
}

export type TestApp = {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  readonly mfa: RecordingMfa;
  readonly checks: ReadinessCheck[];
  readonly slow: Slow;
  /** Every log line so far. */
  readonly log: () => string;
};

/** `options` are those that the service gives its app beside the modules. */
export async function startTestApp(
  modes: readonly Mode[] = ['test'],
  {
    trustedProxies = 0,
    sandboxUrl = null,
    clock = standing,
    ...options
  }: Partial<Omit<HttpOptions, 'config' | 'log' | 'entropy'>> & {
    trustedProxies?: number;
    sandboxUrl?: string | null;
  } = {},
): Promise<TestApp> {
  const mfa = new RecordingMfa();
  const checks: ReadinessCheck[] = [];
  const slow = new Slow();
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
  const log = createLogger({ level: 'info' }, sink);

  @Module({
    controllers: [OrdersController, OddController, HealthController],
    providers: [
      { provide: PORTS.clock, useValue: clock },
      { provide: PORTS.entropy, useValue: entropy },
      { provide: PORTS.log, useValue: log },
      { provide: READINESS_CHECKS, useValue: checks },
      { provide: KeyAuthentication, useClass: KnownKeys },
      { provide: MfaVerification, useValue: mfa },
      { provide: Slow, useValue: slow },
    ],
  })
  class TestModule {}

  const urls = {
    publicUrl: 'https://pay.example',
    docsUrl: 'https://docs.example',
    dashboardUrl: 'https://dash.example',
    checkoutUrl: 'https://checkout.example:8443/checkout',
  };
  const config = { ...urls, modes, trustedProxies, sandboxUrl };
  const app = await createHttpApp(TestModule, { config, log, clock, entropy: new SystemEntropy(), ...options });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, url: `http://127.0.0.1:${port}`, port, mfa, checks, slow, log: () => lines.join('') };
}
