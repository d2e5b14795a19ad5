import { streamId, type Projection } from '../src/kernel/projection';
import type { CoverageHoleEvent } from '../src/modules/coverage/coverage-hole.events';
import { coverageHolesReadModel, type CoverageHoleDocument } from '../src/modules/coverage/coverage-holes.read-model';

type Doc = CoverageHoleDocument;

const withStatus =
  (status: Doc['status']) =>
  (doc: Doc | null): Doc | null =>
    doc && { ...doc, status };

export const coverageHolesProjection: Projection<CoverageHoleDocument, CoverageHoleEvent> = {
  ...coverageHolesReadModel,
  categories: ['coverage_hole'],
  mirrors: true,
  key: streamId,
  on: {
    CoverageHoleOpened: (_, { data, metadata }): Doc => ({
      ...data,
      mode: metadata.mode,
      status: 'open',
      opened_at: metadata.recorded_at,
      closing: null,
    }),
    CoverageHoleExtended: (doc, { data }) => doc && { ...doc, ...data, tx_hash: null },
    CoverageHoleShortened: (doc, { data }) => doc && { ...doc, ...data, tx_hash: null },
    CoverageHoleRead: withStatus('read'),
    CoverageHoleDropped: withStatus('dropped'),
    CoverageHoleClosed: (doc, { data, metadata }) =>
      doc && {
        ...doc,
        status: 'closed',
        closing: { note: data.note, closed_by: metadata.actor.id, at: metadata.recorded_at },
      },
  },
};
