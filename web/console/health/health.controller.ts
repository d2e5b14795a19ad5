import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Clock } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import { SystemReads } from '../../../src/modules/system/system-reads';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { refuse } from '../../../src/vocabulary/errors';
import { ConsolePages } from '../../http/console-pages';
import { ConsoleRoute } from '../../http/signed-in';
import { HealthPage } from './health.page';
import { LimitsPage } from './limits.page';
import { ParkedPage } from './parked.page';
import { ReadModelsPage } from './read-models.page';

/** The free amounts of live mode come first. */
const MODES = ['live', 'test'] as const;

/** The state of the service as operators see it. */
@Controller('console/health')
export class ConsoleHealthController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly system: SystemReads,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ConsoleRoute('console.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { system } = this;
    await this.pages.showFigures({ request, reply }, async () => {
      const [checks, groups, outboxes] = await Promise.all([system.health(), system.groups(), system.outbox()]);
      const view = { checks, groups, outboxes, rates: system.rates(), atMs: this.clock.now() };
      return h(HealthPage, { view });
    });
  }

  @Get('read-models')
  @ConsoleRoute('console.read')
  async readModels(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.showFigures({ request, reply }, async () => {
      const view = { readModels: await this.system.readModels(), atMs: this.clock.now() };
      return h(ReadModelsPage, { view });
    });
  }

  @Get('limits')
  @ConsoleRoute('console.read')
  async limits(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.showFigures({ request, reply }, async () => {
      const headroom = (await Promise.all(MODES.map(mode => this.system.headroom(mode)))).flat();
      const view = { limits: this.system.limits(), headroom, atMs: this.clock.now() };
      return h(LimitsPage, { view });
    });
  }

  @Get('groups/:group')
  @ConsoleRoute('console.read')
  async parked(@Param('group') name: string, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.showFigures({ request, reply }, async () => {
      const group = (await this.system.groups()).find(each => each.group === name);
      if (!group) throw refuse('resource_missing');
      const view = { group, messages: await this.system.parked(group.group), atMs: this.clock.now() };
      return h(ParkedPage, { view });
    });
  }
}
