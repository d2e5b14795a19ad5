import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Clock } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import { SystemReads } from '../../../src/modules/system/system-reads';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { refuse } from '../../../src/vocabulary/errors';
import { MODES } from '../../../src/vocabulary/modes';
import { NETWORK_IDS } from '../../../src/vocabulary/networks';
import { ConsolePages } from '../../http/console-pages';
import { ConsoleRoute } from '../../http/signed-in';
import { CoveragePage } from './coverage.page';
import { NetworkPage } from './network.page';

/** How far the networks are read. */
@Controller('console/coverage')
export class ConsoleCoverageController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly system: SystemReads,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ConsoleRoute('console.read')
  async list(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.showFigures({ request, reply }, async () => {
      const view = { networks: await this.system.coverage(), atMs: this.clock.now() };
      return h(CoveragePage, { view });
    });
  }

  @Get(':mode/:network')
  @ConsoleRoute('console.read')
  async show(
    @Param('mode') mode: string,
    @Param('network') id: string,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.pages.showFigures({ request, reply }, async () => {
      const inMode = MODES.find(each => each === mode);
      const named = NETWORK_IDS.find(each => each === id);
      if (inMode === undefined || named === undefined) throw refuse('resource_missing');
      const { view: network, history } = await this.system.network(inMode, named);
      if (!network) throw refuse('resource_missing');
      return h(NetworkPage, { view: { network, history, atMs: this.clock.now() } });
    });
  }
}
