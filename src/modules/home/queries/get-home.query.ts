import { Query } from '@nestjs/cqrs';
import type { Mode } from '../../../vocabulary/modes';
import type { TokenId } from '../../../vocabulary/tokens';
import type { HomeView } from './home-view';

/** The account whose home is shown, as the request has read it. */
export type HomeOwner = {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The time by the merchant's clock. */
  readonly nowMs: number;
  readonly timeZone: string;
  readonly enabledTokens: readonly TokenId[];
};

/** The state of a merchant's account in a mode, at one look. */
export class GetHome extends Query<HomeView> {
  constructor(readonly owner: HomeOwner) {
    super();
  }
}
