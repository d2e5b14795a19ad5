import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { BodyStep } from './body.step';
import type { FormTokenStep } from './form-token.step';
import type { IdempotencyStep } from './idempotency.step';
import type { MfaStep } from './mfa.step';

/**
 * The steps between the key's guard and the handler, in their order. The steps are a guard and no interceptor. The
 * framework's dispatch of an interceptor costs more than all steps, and keeps the request's objects for long.
 */
export class RequestSteps implements CanActivate {
  constructor(
    private readonly body: BodyStep,
    private readonly formToken: FormTokenStep,
    private readonly idempotency: IdempotencyStep,
    private readonly mfa: MfaStep,
  ) {}

  /** Throws KeptAnswer where the request has been answered before. */
  async canActivate(context: ExecutionContext): Promise<true> {
    await this.body.take(context);
    await this.formToken.take(context);
    await this.idempotency.take(context);
    await this.mfa.take(context);
    return true;
  }
}
