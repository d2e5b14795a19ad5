import { Body, Controller, HttpCode, Module, Param, Post, Put, Get } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mirrorWriter } from '../../../projections/runner/read-models';
import { ALL_PROJECTIONS } from '../../../projections/all';
import { refuse, type ErrorCode } from '../../../src/vocabulary/errors';
import { commandId } from '../../../src/vocabulary/ids';
import { PORTS } from '../../../src/kernel/ports/injection';
import { WritePath } from '../../../src/kernel/write-path';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { KeyAuthentication, MfaVerification, type MfaAttempt } from '../../../src/platform/http/authentication';
import {
  commandContext,
  CurrentCaller,
  HighRisk,
  OneTimeSecret,
  RequireScope,
  type Caller,
} from '../../../src/platform/http/caller';
import { createHttpApp } from '../../../src/platform/http/http-app';
import { Text } from '../../../src/platform/http/fields/text-fields';
import { Amount } from '../../../src/platform/http/fields/value-fields';
import { createLogger } from '../../../src/platform/logging/logger';
import { entropy, openRecords } from './idempotency-fixture';
import type { Engines } from './mortal-engines';
import { authenticatedKey } from '../../support/authenticated-key';
import { termsOf } from '../../support/payment-terms';

/** The gates for which the handlers wait, and the work that they have done. */
export class Stage {
  /** The work of an order goes on when this resolves. */
  gate: Promise<void> = Promise.resolve();
  reached: () => void = () => undefined;
  executions = 0;
  readonly mfaAttempts: MfaAttempt[] = [];
}

class OrderDto {
  @Amount('Minor units', '2500')
  amount!: string;

  @Text()
  currency!: string;
}

const ID_KEY = new Uint8Array(32);

@Controller('v1/orders')
class OrdersController {
  constructor(
    private readonly writes: WritePath,
    private readonly stage: Stage,
  ) {}

  @Post()
  @RequireScope('payment:create')
  async create(@CurrentCaller() caller: Caller, @Body() { amount, currency }: OrderDto) {
    this.stage.executions++;
    this.stage.reached();
    await this.stage.gate;
    const terms = termsOf({ amount_minor_units: amount, currency });
    const id = commandId('pi', caller.startedAt, ID_KEY, caller.commandId);
    const create = { type: 'create', terms } as const;
    const { state } = await this.writes.execute(paymentIntents, id, create, commandContext(caller, 'api'));
    // A replay that ran the command anew would answer another count.
    return { id, status: state.status, note: 'Zoë', run: this.stage.executions };
  }

  @Get()
  @RequireScope('payment:create')
  list() {
    return { object: 'list' };
  }

  @Put()
  @RequireScope('payment:create')
  @HighRisk('order.replace')
  replace(@CurrentCaller() { commandId: command }: Caller) {
    this.stage.executions++;
    return { command };
  }

  @Post('secret')
  @HttpCode(200)
  @RequireScope('payment:create')
  @OneTimeSecret()
  secret() {
    this.stage.executions++;
    return { secret: 'whsec_once' };
  }

  @Post('refused/:code')
  @RequireScope('payment:create')
  refused(@CurrentCaller() { commandId: command }: Caller, @Param('code') code: ErrorCode): never {
    this.stage.executions++;
    throw refuse(code, { message: `refused ${command}` });
  }
}

const authentication: KeyAuthentication = {
  authenticate: text => {
    if (text === 'wrong') return Promise.reject(refuse('invalid_api_key'));
    return Promise.resolve(authenticatedKey({ merchantId: 'mch_1', keyId: `key_${text}`, nowMs: Date.now() }));
  },
};

/** The machine's clock, whose waits end with their process. */
class ProcessClock extends SystemClock {
  readonly ending = new AbortController();

  override wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return super.wait(delayMs, AbortSignal.any([this.ending.signal, ...(signal ? [signal] : [])]));
  }
}

/** One process of the service: the real HTTP stack and write path over the given engines. */
export class IdempotentApp {
  private constructor(
    private readonly app: NestFastifyApplication,
    readonly url: string,
    readonly port: number,
    readonly stage: Stage,
    private readonly clock: ProcessClock,
  ) {}

  static async start({ documents, store }: Engines): Promise<IdempotentApp> {
    const clock = new ProcessClock();
    const log = createLogger({ level: 'silent' });
    const stage = new Stage();
    const mfa: MfaVerification = {
      verify: async attempt => {
        stage.mfaAttempts.push(attempt);
        if (attempt.code === null) throw refuse('mfa_required');
        await Promise.resolve();
      },
    };
    const writes = new WritePath(store, clock, mirrorWriter(documents, ALL_PROJECTIONS, log));
    const providers = [
      { provide: WritePath, useValue: writes },
      { provide: Stage, useValue: stage },
      { provide: PORTS.clock, useValue: clock },
      { provide: PORTS.entropy, useValue: entropy },
      { provide: KeyAuthentication, useValue: authentication },
      { provide: MfaVerification, useValue: mfa },
    ];

    @Module({ controllers: [OrdersController], providers })
    class RootModule {}

    const base = 'https://pay.example';
    const config = { publicUrl: base, docsUrl: base, dashboardUrl: base, modes: ['test'] as const };
    const idempotency = await openRecords({ documents, clock, alone: true });
    const app = await createHttpApp(RootModule, { config, log, clock, entropy, idempotency });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as { port: number };
    return new IdempotentApp(app, `http://127.0.0.1:${port}`, port, stage, clock);
  }

  /** Drops its connections first, since a process that died answers nobody. */
  async stop(): Promise<void> {
    this.app.getHttpServer().closeAllConnections();
    await this.app.close();
    this.clock.ending.abort();
  }
}

export type Asked = {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  readonly replayed: boolean;
};

export type Ask = {
  readonly apiKey?: string;
  readonly key?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

export const ORDER = '{"amount":2500,"currency":"EUR"}';

export async function ask(
  app: IdempotentApp,
  line: string,
  { apiKey = 'own', key, body = ORDER, headers = {}, signal }: Ask = {},
): Promise<Asked> {
  const [method, path] = line.split(' ') as [string, string];
  const answer = await fetch(`${app.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== '' && { body }),
    ...(signal && { signal }),
  });
  const text = await answer.text();
  const replayed = answer.headers.get('idempotent-replayed') === 'true';
  return { status: answer.status, text, headers: answer.headers, replayed };
}

export function codeOf({ text }: Asked): unknown {
  return (JSON.parse(text) as { readonly error?: { readonly code: string } }).error?.code;
}
