import { Controller, Get, Inject, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../src/platform/http/caller';
import { routesOfController } from '../../src/platform/http/openapi-routes';
import { NoPage } from '../page-routes';
import type { SignedPages } from './signed-pages';

/**
 * A browser that reloads a refused form's address asks for it by GET. The controller of all these addresses leads back
 * to the form's page.
 */
export function reloadsOf(controllers: readonly Type<object>[], pagesOf: Type<SignedPages>): Type<object> {
  const routes = controllers.flatMap(routesOfController);
  const pathsOf = (asked: string) => routes.filter(({ method }) => method === asked).map(({ path }) => path);
  const shown = new Set(pathsOf('get'));
  const sentOnly = [...new Set(pathsOf('post'))].filter(path => !shown.has(path));
  const paths = sentOnly.map(path => path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1'));

  @NoPage()
  @Controller()
  class ReloadsController {
    constructor(@Inject(pagesOf) private readonly pages: SignedPages) {}

    @Get(paths)
    lead(@Req() request: ApiRequest, @Res() reply: FastifyReply): void {
      this.pages.leadBack({ request, reply });
    }
  }
  return ReloadsController;
}
