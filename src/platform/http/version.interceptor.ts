import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';
import type { JsonValue } from '../../kernel/json';
import { inVersion } from '../versions/shape-in-version';
import type { ApiRequest } from './caller';

/**
 * Takes what a handler answers back to the caller's version. It runs next to the handler, so what is stored of an
 * answer is that shape.
 */
export class VersionInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<ApiRequest>();
    if (!caller) return next.handle();
    return next.handle().pipe(map((answer: JsonValue) => inVersion(answer, caller.apiVersion)));
  }
}
