import { Controller, Get, Param, Query } from '@nestjs/common';
import { parseIsoTime } from '../../../kernel/clock';
import { canonicalTimestamp } from '../../../kernel/timestamp';
import { AdminRoute, CurrentAdmin } from '../../../platform/http/admin-admission';
import type { AdmittedAdmin } from '../../../platform/http/admitted-admin';
import { parseFilters } from '../../../platform/http/lists';
import { refuse } from '../../../vocabulary/errors';
import { StreamReader } from '../stream-reader';
import type { StreamMoment, StreamView } from '../stream-view';

@Controller('admin/streams')
export class StreamsController {
  constructor(private readonly streams: StreamReader) {}

  @Get(':stream')
  @AdminRoute({ permission: 'console.read' })
  async get(
    @CurrentAdmin() { by }: AdmittedAdmin,
    @Param('stream') stream: string,
    @Query() query: Readonly<Record<string, unknown>>,
  ): Promise<StreamView> {
    const { revision, as_of: asOf } = parseFilters(query, ['revision', 'as_of']);
    return this.streams.viewFor(by.role, stream, momentOf(revision, asOf));
  }
}

const REVISION = /^(?:0|[1-9]\d{0,8})$/;

/** Throws Refusal parameter_invalid or invalid_timestamp. */
function momentOf(revision: string | undefined, asOf: string | undefined): StreamMoment | null {
  if (revision !== undefined && asOf !== undefined)
    throw refuse('parameter_invalid', { param: 'as_of', message: 'Give a revision or a time, not both.' });
  if (asOf !== undefined) return { timeMs: parseIsoTime(canonicalTimestamp(asOf, 'as_of')) };
  if (revision === undefined) return null;
  if (!REVISION.test(revision)) throw refuse('parameter_invalid', { param: 'revision' });
  return { revision: Number(revision) };
}
