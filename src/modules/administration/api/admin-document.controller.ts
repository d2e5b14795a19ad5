import { Controller, Get } from '@nestjs/common';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { Documented, Tagged, type OperationFacts } from '../../../platform/http/openapi-operation';
import { anyObject } from '../../../platform/http/openapi-schema';

const DOCUMENT: OperationFacts = {
  id: 'getAdminContract',
  summary: 'Retrieve this document',
  answer: anyObject('A document of OpenAPI 3.1'),
  refuses: [],
};

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
  @Documented(DOCUMENT)
  show(): object {
    return this.contract.document();
  }
}
