import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import { parseIsoTime } from '../../../src/kernel/clock';
import { StreamReader } from '../../../src/modules/streams/stream-reader';
import type { StreamMoment } from '../../../src/modules/streams/stream-view';
import type { ApiRequest } from '../../../src/platform/http/caller';
import type { Administrator } from '../../http/administrator';
import { askedMoment, type AskedMoment } from '../../http/asked-moment';
import { ConsolePages } from '../../http/console-pages';
import { givenTexts, type Given } from '../../http/given-filters';
import { ConsoleRoute } from '../../http/signed-in';
import { visitOf } from '../../http/visits';
import { streamPath } from './stream-link';
import { StreamPage } from './stream.page';
import { StreamsPage } from './streams.page';

/** The browser of events: any stream, as of any moment. */
@Controller('console/streams')
export class ConsoleStreamsController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly streams: StreamReader,
  ) {}

  /** A text that means one stream leads there. */
  @Get()
  @ConsoleRoute('console.read')
  async find(@Query() query: Given, @Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { role } = visitOf<Administrator>(request).person;
    const text = (givenTexts(query).q ?? '').trim();
    const streams = text === '' ? [] : await this.streams.find(role, text);
    const [only, ...others] = streams;
    if (only !== undefined && others.length === 0) return this.pages.leadTo({ request, reply }, streamPath(only));
    await this.pages.send({ request, reply }, h(StreamsPage, { found: { text, streams } }));
  }

  @Get(':stream')
  @ConsoleRoute('console.read')
  async show(
    @Param('stream') stream: string,
    @Query('as_of') asOf: unknown,
    @Req() request: ApiRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { role } = visitOf<Administrator>(request).person;
    const asked = askedMoment(asOf);
    const view = this.streams.watchFor(role, stream, momentOf(asked));
    await this.pages.show({ request, reply }, view, shown => h(StreamPage, { view: shown, time: timeFieldOf(asked) }));
  }
}

function momentOf(asked: AskedMoment | null): StreamMoment | null {
  if (asked === null || 'revision' in asked) return asked;
  return { timeMs: parseIsoTime(asked.time) };
}

/** Zeros that a browser's field leaves out, and the zone, which is UTC. */
const LEFT_OUT = /(?::00\.000|\.000|0?0?)Z$/;

/** The time as a browser's field has it, or else the field would count as typed in. */
function timeFieldOf(asked: AskedMoment | null): string {
  return asked !== null && 'time' in asked ? asked.time.replace(LEFT_OUT, '') : '';
}
