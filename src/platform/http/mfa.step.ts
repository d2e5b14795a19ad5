import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { refuse } from '../../vocabulary/errors';
import { invariant } from '../../kernel/invariant';
import { ADMIN_RULE, type AdminAdmission, type AdminRule } from './admin-admission';
import type { MfaVerification } from './authentication';
import { HIGH_RISK_ACTION, type ApiReply, type ApiRequest } from './caller';

/** Runs behind the validation, so that a body which fails it consumes no code. */
export class MfaStep {
  constructor(
    private readonly reflector: Reflector,
    private readonly mfa: MfaVerification,
    private readonly admission: AdminAdmission | null,
  ) {}

  async take(context: ExecutionContext): Promise<void> {
    const targets = [context.getHandler(), context.getClass()];
    const action = this.reflector.getAllAndOverride<string | undefined>(HIGH_RISK_ACTION, targets);
    const http = context.switchToHttp();
    if (action !== undefined) await this.verify(http.getRequest<ApiRequest>(), action);
    const rule = this.reflector.getAllAndOverride<AdminRule | undefined>(ADMIN_RULE, targets);
    const risky = rule?.highRisk ?? null;
    if (risky !== null)
      await this.admission?.stepUp(http.getRequest<ApiRequest>(), http.getResponse<ApiReply>(), risky);
  }

  private async verify({ caller, raw }: ApiRequest, action: string): Promise<void> {
    invariant(caller, `the high-risk action ${action} is on a public route`);
    const { merchantId, mode, keyId, commandId } = caller;
    const header = (name: string): string | null => {
      const values = raw.headersDistinct[name] ?? [];
      if (values.length > 1) throw refuse('mfa_proof_invalid', { message: `The header ${name} is given twice.` });
      return values[0] ?? null;
    };
    const [code, proof, user] = [header('mfa-code'), header('mfa-proof'), header('mfa-user')];
    await this.mfa.verify({ merchantId, mode, keyId, commandId, action, code, proof, user });
  }
}
