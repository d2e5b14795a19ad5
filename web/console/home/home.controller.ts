import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { ConsolePages } from '../../http/console-pages';
import { ConsoleRoute } from '../../http/signed-in';
import { ConsoleHomePage } from './home.page';

/** The first page of the console. */
@Controller('console')
export class ConsoleHomeController {
  constructor(private readonly pages: ConsolePages) {}

  @Get()
  @ConsoleRoute('console.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.send({ request, reply }, h(ConsoleHomePage, {}));
  }
}
