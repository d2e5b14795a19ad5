import type { ReadModel } from '../../kernel/ports/read-models';
import { GEO_BLOCK } from './geo-block.events';

export type GeoBlockDocument = { readonly blocked_countries: readonly string[]; readonly set_at: string };

export const geoBlocksReadModel: ReadModel<GeoBlockDocument> = {
  name: 'geo_blocks',
  version: 1,
  indexes: { by_set: ['set_at', 'id'] },
  restates: true,
};

/** The document of the blocked countries, for a reading of what can change from one request to the next. */
export const GEO_BLOCK_ASKED = { readModel: geoBlocksReadModel, universe: 'platform', id: GEO_BLOCK } as const;
