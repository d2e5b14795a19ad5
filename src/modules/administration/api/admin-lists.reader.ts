import type { ListEnvelope } from '../../../platform/http/lists';
import type { AdminList, ListReads } from './admin-list';

type Query = Readonly<Record<string, unknown>>;

/** Reads the lists of administrators, for routes and pages alike. */
export class AdminLists {
  constructor(private readonly reads: ListReads) {}

  /** Throws the refusals of paging and of the list's filters. */
  page<Row>(list: AdminList<Row>, query: Query): Promise<ListEnvelope<Row>> {
    return list.page(this.reads, query);
  }

  /** Throws the refusal of the list for an unknown id. */
  get<Row>(list: AdminList<Row>, id: string): Promise<Row> {
    return list.get(this.reads, id);
  }
}
