import { parseIsoTime } from '../../../kernel/clock';
import type { Document } from '../../../kernel/ports/documents';
import type { RouteDocument } from '../routes.read-model';
import type { RouteResource } from './routes.contract';

/** The route as the API shows it at `now`, by the mode's clock: a cool-down that is over is not shown. */
export function presentRoute({ id, body }: Document<RouteDocument>, now: number): RouteResource {
  const { mode, asset_symbol, network_id, token_id, wallet_id, cooling_down_until: until, created, updated_at } = body;
  return {
    id,
    object: 'route',
    mode,
    asset_symbol,
    network_id,
    token_id,
    wallet_id,
    cooling_down_until: until !== null && now < parseIsoTime(until) ? until : null,
    created,
    updated_at,
  };
}
