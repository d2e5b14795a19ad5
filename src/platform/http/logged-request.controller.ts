import { Controller, Get, Header, Param } from '@nestjs/common';
import { refuse } from '../../vocabulary/errors';
import { isId } from '../../vocabulary/ids';
import { RequestLog } from '../request-log/request-log';
import { CurrentCaller, RequireScope, type Caller } from './caller';
import { loggedRequestPage } from './logged-request.page';
import { HTML_TYPE, PLAIN_PAGE_POLICY } from './plain-page';

/**
 * The page behind an error's `request_log_url`: the log of a request, for its merchant, in its mode, and for nobody
 * else.
 */
@Controller('dashboard/requests')
export class LoggedRequestController {
  constructor(private readonly requests: RequestLog) {}

  @Get(':id')
  @RequireScope('request_log:read')
  @Header('content-type', HTML_TYPE)
  @Header('content-security-policy', PLAIN_PAGE_POLICY)
  async show(@CurrentCaller() { merchantId, mode }: Caller, @Param('id') id: string): Promise<string> {
    const request = isId('req', id) ? await this.requests.get(id) : null;
    if (request?.merchant_id !== merchantId || request.mode !== mode) throw refuse('resource_missing');
    return loggedRequestPage(request);
  }
}
