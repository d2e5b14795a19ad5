import { everyPage } from '../../kernel/every-document';
import type { Document } from '../../kernel/ports/documents';
import type { ReadModel, ReadModels } from '../../kernel/ports/read-models';
import type { JsonObject } from '../../vocabulary/json';
import type { Mode } from '../../vocabulary/modes';

/** Documents in one read. A payment with as many transfers as it may take is some hundred kilobytes. */
export const PAGE_ROWS = 100;

/** The documents of an account that an export is made of. */
export type ExportSource = {
  readonly readModels: Pick<ReadModels, 'list'>;
  readonly merchantId: string;
  readonly mode: Mode;
  /** By the time of creation; both ends belong to the range. */
  readonly range?: { readonly from?: string; readonly to?: string };
  /** The oldest comes first; by default the newest, as in lists. */
  readonly ascending?: boolean;
};

/**
 * Members of a payment that no export shows. Ids are the names in them, and a new name stays in memory until all of the
 * heap is swept. The names of a million payments are hundreds of megabytes.
 */
export const UNSHOWN_OF_PAYMENTS = ['state.ledger.transfers', 'state.ledger.screened'];

/** The pages of a read model that lists an account's documents by their creation, without the members of `omit`. */
export function ownPages<Body extends JsonObject>(
  readModel: ReadModel<Body>,
  omit: readonly string[] = [],
): (source: ExportSource) => AsyncGenerator<readonly Document<Body>[]> {
  return ({ readModels, merchantId, mode, range, ascending = false }) =>
    everyPage(readModels, readModel, {
      index: 'by_merchant',
      equals: { merchant_id: merchantId, mode },
      ...(range && { range }),
      descending: !ascending,
      limit: PAGE_ROWS,
      omit,
    });
}
