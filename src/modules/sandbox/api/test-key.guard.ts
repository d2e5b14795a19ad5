import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { refuse } from '../../../kernel/errors';
import { invariant } from '../../../kernel/invariant';
import type { ApiRequest } from '../../../platform/http/caller';

/**
 * Behind the guard of all routes, so that the caller is known: what is for test mode is unknown to keys of the other.
 */
@Injectable()
export class TestKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const { caller } = context.switchToHttp().getRequest<ApiRequest>();
    invariant(caller, 'a route for test keys is not public');
    if (caller.mode === 'test') return true;
    throw refuse('invalid_api_key', { message: 'This is for test mode: use a test key.' });
  }
}
