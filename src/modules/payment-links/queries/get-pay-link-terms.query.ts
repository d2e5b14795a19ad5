import { Query } from '@nestjs/cqrs';
import type { PayLinkTerms } from './pay-link-view';

/** By the id alone, which nobody can guess. Null for an unknown id, and for a text that is no id. */
export class GetPayLinkTerms extends Query<PayLinkTerms | null> {
  constructor(readonly link: string) {
    super();
  }
}
