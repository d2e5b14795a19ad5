import type { RecordedEvent } from '../../src/kernel/event';
import { streamId, type Projection } from '../../src/kernel/projection';
import type { CoverageHoleEvent, CoverageHoleOpened } from '../../src/modules/coverage/coverage-hole.events';

/** Every block, or run of blocks, that was passed unread some time; what holds deadlines up are those that are open. */
export type CoverageHoleDocument = CoverageHoleOpened['data'] & {
  readonly mode: string;
  readonly status: 'open' | 'read' | 'dropped' | 'closed';
  readonly opened_at: string;
  /** Null but where an administrator has closed it unread. */
  readonly closing: { readonly note: string; readonly by: string; readonly at: string } | null;
};

type Doc = CoverageHoleDocument;
type On<T extends CoverageHoleEvent['type']> = RecordedEvent<Extract<CoverageHoleEvent, { readonly type: T }>>;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const coverageHolesProjection: Projection<CoverageHoleDocument> = {
  name: 'coverage_holes',
  version: 2,
  categories: ['coverage_hole'],
  mirrors: true,
  key: streamId,
  indexes: { by_block: ['mode', 'network_id', 'status', 'block_number', 'id'] },
  on: {
    CoverageHoleOpened: (_: Doc | null, { data, metadata }: On<'CoverageHoleOpened'>): Doc => ({
      ...data,
      mode: metadata.mode,
      status: 'open',
      opened_at: metadata.recorded_at,
      closing: null,
    }),
    CoverageHoleExtended: (doc: Doc | null, { data }: On<'CoverageHoleExtended'>): Doc | null =>
      doc && { ...doc, ...data, tx_hash: null },
    CoverageHoleShortened: (doc: Doc | null, { data }: On<'CoverageHoleShortened'>): Doc | null =>
      doc && { ...doc, ...data, tx_hash: null },
    CoverageHoleRead: withStatus('read'),
    CoverageHoleDropped: withStatus('dropped'),
    CoverageHoleClosed: (doc: Doc | null, { data, metadata }: On<'CoverageHoleClosed'>): Doc | null =>
      doc && {
        ...doc,
        status: 'closed',
        closing: { note: data.note, by: metadata.actor.id, at: metadata.recorded_at },
      },
  },
};
