import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, of, type Observable } from 'rxjs';
import type { JsonValue } from '../../kernel/json';
import { inVersion } from '../versions/shape-in-version';
import type { BodyStep } from './body.step';
import type { ApiRequest } from './caller';
import type { IdempotencyStep } from './idempotency.step';
import type { MfaStep } from './mfa.step';

/**
 * The steps between the guard and the handler, in their order. They are one interceptor, because the framework's
 * dispatch of an interceptor costs more than such a step.
 */
export class RequestSteps implements NestInterceptor {
  constructor(
    private readonly body: BodyStep,
    private readonly idempotency: IdempotencyStep,
    private readonly mfa: MfaStep,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.body.take(context);
    const kept = await this.idempotency.take(context);
    if (kept !== null) return of(kept);
    await this.mfa.take(context);
    const { caller } = context.switchToHttp().getRequest<ApiRequest>();
    const answers = next.handle();
    // An answer is kept in the caller's version, which is the one that is sent.
    return caller ? answers.pipe(map((answer: JsonValue) => inVersion(answer, caller.apiVersion))) : answers;
  }
}
