import { CommandBus, type Command } from '@nestjs/cqrs';
import { generateSync } from 'otplib';
import { operatorContext } from '../../../src/cli/operator-context';
import type { ApiInstance, ApiStage } from '../../support/api-stage';
import type { Reply } from '../../support/http-caller';
import { AdminContract } from '../../../src/modules/administration/api/admin-document.controller';
import { OpenApiValidation } from '../../support/openapi-validation';

export const PASSWORD = 'plum harbour 47 lanterns';
const STEP_MS = 30_000;

type Json = Readonly<Record<string, unknown>>;
export type Answer = { readonly status: number; readonly body: Json; readonly code: string | null };

function contractOf(instance: ApiInstance): OpenApiValidation {
  const text = (): string => JSON.stringify(instance.app.get(AdminContract, { strict: false }).document());
  return OpenApiValidation.kept('administrators') ?? OpenApiValidation.keep('administrators', text());
}

/**
 * A browser at the console: it keeps the cookie and the token of its session. Each answer is held against the contract
 * of administrators.
 */
export class ConsoleCaller {
  cookie: string | null = null;
  token: string | null = null;
  secret: string | null = null;

  constructor(
    readonly stage: ApiStage,
    readonly instance: ApiInstance,
  ) {}

  run<Result>(command: Command<Result>): Promise<Result> {
    return this.instance.app.get(CommandBus).execute(command);
  }

  context() {
    return operatorContext({ ...this.stage.core, user: 'alice' });
  }

  async send(
    method: string,
    path: string,
    body?: Json,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const reply = await this.instance.caller.send({
      method,
      path: `/admin/${path}`,
      headers: {
        host: 'localhost',
        ...(body && { 'content-type': 'application/json' }),
        ...(method !== 'GET' && { 'sec-fetch-site': 'same-origin' }),
        ...(this.cookie !== null && { cookie: this.cookie }),
        ...(this.token !== null && { 'x-csrf-token': this.token }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.keep(reply);
    this.check(method, path, reply);
    return answerOf(reply);
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: Json = {}, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  start(email: string, password = PASSWORD): Promise<Answer> {
    return this.post('session', { email, password });
  }

  /** The first sign-in, which enrols an authenticator. */
  async enrol(email: string): Promise<Answer> {
    await this.start(email);
    const offer = await this.post('authenticator/offer');
    this.secret = String(offer.body.secret);
    return this.post('authenticator', { code: this.code() });
  }

  async signIn(email: string, secret = this.secret): Promise<Answer> {
    this.secret = secret;
    await this.start(email);
    return this.post('session/code', { code: this.code() });
  }

  /** A code that was not shown before: each step of time has one. */
  code(): string {
    this.stage.clock.pass(STEP_MS);
    return generateSync({ secret: this.secret as string, epoch: Math.floor(this.stage.clock.now() / 1_000) });
  }

  private check(method: string, path: string, { status, headers, body }: Reply): void {
    const asked = { method, path: `/admin/${path}`, status };
    const contract = contractOf(this.instance);
    if (body === '') contract.checkEmpty(asked);
    else contract.checkText(asked, headers['content-type'], body);
  }

  private keep({ headers, body }: Reply): void {
    const [cookie] = headers['set-cookie'] ?? [];
    if (cookie !== undefined) this.cookie = cookie.split(';', 1)[0] ?? null;
    if (!body.startsWith('{')) return;
    const { csrf_token: token } = JSON.parse(body) as { readonly csrf_token?: string };
    if (token !== undefined) this.token = token;
  }
}

export function answerOf({ status, body: text }: Reply): Answer {
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Json;
  const { error } = body as { readonly error?: { readonly code: string } };
  return { status, body, code: error?.code ?? null };
}
