import { Controller, Get } from '@nestjs/common';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { Outlined, Tagged } from '../../../platform/http/openapi-operation';

/** The contract of all routes below `/admin`. */
export abstract class AdminContract {
  abstract document(): object;
}

/** The public contract names none of these routes, so their own one is shown to administrators alone. */
@Tagged('Own account')
@Controller('admin')
export class AdminDocumentController {
  constructor(private readonly contract: AdminContract) {}

  @Get('openapi.json')
  @AdminRoute({ permission: null })
  @Outlined('getAdminContract', 'Retrieve this document')
  show(): object {
    return this.contract.document();
  }
}
