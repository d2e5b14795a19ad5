import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { ApiRequest } from './caller';
import { PAGE_RULE, type PageAdmission, type PageRule } from './page-admission';

/** Checks the token of each form that signed-in people send, so that no handler can forget to. */
export class FormTokenStep {
  constructor(
    private readonly reflector: Reflector,
    private readonly admission: PageAdmission | null,
  ) {}

  async take(context: ExecutionContext): Promise<void> {
    const rule = this.reflector.get<PageRule | undefined>(PAGE_RULE, context.getHandler());
    if (rule?.isForm) await this.admission?.checkToken(context.switchToHttp().getRequest<ApiRequest>(), rule);
  }
}
