import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../src/vocabulary/errors';
import { Unmetered } from '../../src/platform/http/rate-limit';
import { NoPage } from '../page-routes';
import { BuiltPages } from './built-pages';
import { encodingFor } from './encoding';

/** A name changes with its content, so a browser may keep the file for a year. */
const KEPT = 'public, max-age=31536000, immutable';

@Unmetered()
@NoPage()
@Controller('assets')
export class AssetsController {
  constructor(private readonly built: BuiltPages) {}

  @Get(':name')
  send(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (!sendAsset(this.built, name, request, reply)) throw refuse('unknown_route');
  }
}

/** Sends the script, style or font of the name; false where the build made none. */
export function sendAsset(built: BuiltPages, name: string, request: FastifyRequest, reply: FastifyReply): boolean {
  const asset = built.asset(name);
  if (!asset) return false;
  const encoding = encodingFor(request.headers['accept-encoding']);
  void reply.header('cache-control', KEPT).header('vary', 'accept-encoding').type(asset.type);
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  void reply.send(asset.bytes[encoding]);
  return true;
}
