import { Controller, Get, Inject, Query } from '@nestjs/common';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { AdminRoute } from '../../../platform/http/admin-admission';
import { listPage, parsePage } from '../../../platform/http/lists';
import { merchantsReadModel } from '../../merchants/merchants.read-model';
import { geoBlocksReadModel } from '../../controls/geo-blocks.read-model';
import { sanctionedAddressesReadModel } from '../../controls/sanctioned-addresses.read-model';
import { screeningSettingsReadModel } from '../../controls/screening-settings.read-model';
import { velocityLimitsReadModel } from '../../controls/velocity-limits.read-model';

type Query = Readonly<Record<string, unknown>>;

/** The controls in force, for every administrator. */
@Controller('admin')
export class ControlsController {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  @Get('velocity_limits')
  @AdminRoute({ permission: 'console.read' })
  velocityLimits(@Query() query: Query) {
    const source = {
      universe: 'platform',
      index: 'by_set',
      equals: { is_set: true },
      order: ['set_at', 'id'],
    } as const;
    return listPage(this.readModels, velocityLimitsReadModel, source, parsePage(query, []), {
      url: '/admin/velocity_limits',
      present: ({ id, body: { window_ms, max_count, max_amount_usd_minor_units, set_at } }) => ({
        ...{ object: 'velocity_limit' as const, id, subject: id, window_ms, max_count },
        ...{ max_amount_usd: max_amount_usd_minor_units, set_at },
      }),
    });
  }

  @Get('geo')
  @AdminRoute({ permission: 'console.read' })
  blockedCountries(@Query() query: Query) {
    const source = { universe: 'platform', index: 'by_set', equals: {}, order: ['set_at', 'id'] } as const;
    return listPage(this.readModels, geoBlocksReadModel, source, parsePage(query, []), {
      url: '/admin/geo',
      present: ({ id, body }) => ({ object: 'geo_block' as const, id, ...body }),
    });
  }

  @Get('screening')
  @AdminRoute({ permission: 'console.read' })
  screening(@Query() query: Query) {
    const source = { universe: 'platform', index: 'by_set', equals: {}, order: ['set_at', 'id'] } as const;
    return listPage(this.readModels, screeningSettingsReadModel, source, parsePage(query, []), {
      url: '/admin/screening',
      present: ({ id, body }) => ({ object: 'screening_settings' as const, id, ...body }),
    });
  }

  /** The limits of every merchant, the newest merchant first. */
  @Get('merchant_limits')
  @AdminRoute({ permission: 'console.read' })
  merchantLimits(@Query() query: Query) {
    const source = { universe: 'platform', index: 'by_created', equals: {}, order: ['created', 'id'] } as const;
    return listPage(this.readModels, merchantsReadModel, source, parsePage(query, []), {
      url: '/admin/merchant_limits',
      present: ({ id, body: { name, fee_bps, payment_ceiling_usd_minor_units: payment_ceiling_usd } }) => ({
        object: 'merchant_limits' as const,
        ...{ id, name, payment_ceiling_usd, fee_bps },
      }),
    });
  }

  /** One row for each address that administrators have listed. */
  @Get('sanctions')
  @AdminRoute({ permission: 'console.read' })
  sanctions(@Query() query: Query) {
    const listed = { index: 'by_listed', equals: { is_listed: true }, order: ['created', 'id'] } as const;
    const page = parsePage(query, []);
    return listPage(this.readModels, sanctionedAddressesReadModel, { universe: 'platform', ...listed }, page, {
      url: '/admin/sanctions',
      present: ({ id, body: { entries, created } }) => ({
        object: 'sanctioned_address' as const,
        ...{ id, entries, created },
      }),
    });
  }
}
