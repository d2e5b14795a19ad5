import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiRequest } from '../../src/platform/http/caller';
import { DocsPages } from './docs-pages';

/** The documentation, which is public. */
@Controller('docs')
export class DocsController {
  constructor(private readonly pages: DocsPages) {}

  @Get()
  async operations(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendOperations({ request, reply });
  }

  @Get('operations/:id')
  async operation(@Param('id') id: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendOperation({ request, reply }, id);
  }

  @Get('errors')
  async errors(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendErrors({ request, reply });
  }

  @Get('errors/:code')
  async error(@Param('code') code: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendError({ request, reply }, code);
  }

  @Get('quick-start')
  async quickStart(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendGuide({ request, reply }, 'quick-start');
  }

  @Get('dashboard')
  async dashboard(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendGuide({ request, reply }, 'dashboard');
  }

  @Get('webhooks')
  async webhooks(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.sendGuide({ request, reply }, 'webhooks');
  }
}
