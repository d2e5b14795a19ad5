import type { RecordedEvent } from '../src/kernel/event';
import { streamId, type Projection } from '../src/kernel/projection';
import type { CoverageHoleEvent } from '../src/modules/coverage/coverage-hole.events';
import { coverageHolesReadModel, type CoverageHoleDocument } from '../src/modules/coverage/coverage-holes.read-model';

type Doc = CoverageHoleDocument;

type On<T extends CoverageHoleEvent['type']> = RecordedEvent<Extract<CoverageHoleEvent, { readonly type: T }>>;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const coverageHolesProjection: Projection<CoverageHoleDocument> = {
  ...coverageHolesReadModel,
  categories: ['coverage_hole'],
  mirrors: true,
  key: streamId,
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
