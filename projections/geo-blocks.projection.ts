import { streamId, type Projection } from '../src/kernel/projection';
import type { GeoBlockEvent } from '../src/modules/controls/geo-block.events';
import { geoBlocksReadModel, type GeoBlockDocument } from '../src/modules/controls/geo-blocks.read-model';

export const geoBlocksProjection: Projection<GeoBlockDocument, GeoBlockEvent> = {
  ...geoBlocksReadModel,
  categories: ['geo_block'],
  mirrors: true,
  key: streamId,
  on: {
    CountriesBlocked: (_, { data, metadata }): GeoBlockDocument => ({ ...data, set_at: metadata.occurred_at }),
  },
};
