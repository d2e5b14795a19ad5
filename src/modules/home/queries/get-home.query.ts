import { Query } from '@nestjs/cqrs';
import type { Mode } from '../../../vocabulary/modes';
import type { HomeView } from './home-view';

/** The state of a merchant's account in a mode, at one look. `nowMs` is by the merchant's clock. */
export class GetHome extends Query<HomeView> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
    readonly nowMs: number,
    readonly timeZone: string,
  ) {
    super();
  }
}
