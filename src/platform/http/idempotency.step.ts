import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { invariant } from '../../kernel/invariant';
import { KeyLease, type Answer } from '../idempotency/key-lease';
import { fingerprint, recordId } from '../idempotency/fingerprint';
import type { IdempotencyRecords } from '../idempotency/idempotency-records';
import { ONE_TIME_SECRET, type ApiRequest, type Caller } from './caller';
import { idempotencyKey } from './idempotency-key';
import { KeptAnswer } from './kept-answer';

const PROTECTED_METHODS = ['POST', 'PUT'];
const NO_BODY = new Uint8Array();

/**
 * This step comes behind the validation, so that a request which fails it leaves nothing. The step comes before the
 * one-time code, which a replay does not need. Later steps work under the command id and the first time of the key's
 * record.
 */
export class IdempotencyStep {
  constructor(
    private readonly reflector: Reflector,
    private readonly records: IdempotencyRecords | null,
  ) {}

  /** Throws KeptAnswer where the request has been answered before. */
  async take(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { caller } = request;
    if (!caller || !PROTECTED_METHODS.includes(request.method)) return;
    const key = idempotencyKey(request.raw);
    if (key === null) return;
    const leased = await this.lease(key, caller, request);
    if (!(leased instanceof KeyLease)) throw new KeptAnswer(leased);
    const { commandId, commandedAtMs: startedAt, isFirstTry } = leased;
    request.caller = { ...caller, commandId, startedAt, isFirstTry };
    const targets = [context.getHandler(), context.getClass()];
    const showsSecret = this.reflector.getAllAndOverride<true | undefined>(ONE_TIME_SECRET, targets) ?? false;
    request.underKey = { lease: leased, showsSecret };
  }

  private lease(key: string, caller: Caller, request: ApiRequest): Promise<KeyLease | Answer> {
    const { keyId, merchantId, mode, receivedAt: nowMs } = caller;
    invariant(this.records, 'a request has an Idempotency-Key, and there is nowhere to keep it');
    const [path = ''] = request.url.split('?');
    return this.records.lease({
      id: recordId(keyId, key),
      fingerprint: fingerprint(request.method, path, request.rawBody ?? NO_BODY),
      owner: { universe: mode, merchantId },
      nowMs,
    });
  }
}
