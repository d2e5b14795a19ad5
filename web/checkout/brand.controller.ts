import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BRAND_LOGOS, type BrandLogos } from '../../src/modules/checkout/brand-logos';
import { refuse } from '../../src/vocabulary/errors';
import { NoPage } from '../page-routes';
import { brandStyle } from './brand-style';

const DAY = 'public, max-age=86400';
const STYLE = /^([0-9a-f]{6})\.css$/;

/** A shop's colour and logo, which the service serves itself: no page asks another host. */
@NoPage()
@Controller('checkout/brand')
export class BrandController {
  constructor(@Inject(BRAND_LOGOS) private readonly logos: BrandLogos) {}

  @Get(':name')
  async send(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const color = STYLE.exec(name)?.[1];
    const style = color === undefined ? null : brandStyle(`#${color}`);
    if (style !== null) {
      void reply.header('cache-control', DAY).type('text/css; charset=utf-8').send(style);
      return;
    }
    const logo = await this.logos.byDigest(name);
    if (!logo) throw refuse('unknown_route');
    void reply.header('cache-control', DAY).type(logo.type).send(logo.bytes);
  }
}
