import { Query } from '@nestjs/cqrs';
import type { PayLinkView } from './pay-link-view';

/** By the id alone, which nobody can guess. Null for an unknown id, and for a text that is no id. */
export class GetPayLink extends Query<PayLinkView | null> {
  constructor(readonly link: string) {
    super();
  }
}
