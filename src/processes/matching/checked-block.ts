import type { Mode } from '../../vocabulary/modes';
import type { BlockHeader } from '../../kernel/ports/chain';
import type { Collection, CollectionSpec, Documents } from '../../kernel/ports/documents';
import type { NetworkId } from '../../vocabulary/networks';

/** The last block up to which every transfer of the queue was found on the chain; null where it was replaced. */
type CheckedBlockDocument = { readonly block: KnownBlock | null };

/** `at_ms`: the wall's moment as the look began. Transfers that were recorded since may be of lower blocks. */
export type KnownBlock = Pick<BlockHeader, 'number' | 'hash'> & { readonly at_ms: number };

const CHECKED_BLOCKS: CollectionSpec = { name: 'checked_blocks', indexes: {} };

type QueueOfChain = { readonly mode: Mode; readonly network: NetworkId; readonly instance: string };

/**
 * Keeps the checked block over restarts: without it, each start asks the chain about every transfer of the queue. Any
 * process may write it, since each checks the block's hash before it counts.
 */
export class CheckedBlock {
  private opening: Promise<Collection<CheckedBlockDocument>> | null = null;
  private readonly id: string;

  constructor(
    private readonly documents: Pick<Documents, 'open'>,
    { mode, network, instance }: QueueOfChain,
  ) {
    this.id = `${mode}:${network}:${instance}`;
  }

  async read(): Promise<KnownBlock | null> {
    return (await (await this.collection()).get(this.id))?.body.block ?? null;
  }

  async keep(block: KnownBlock | null): Promise<void> {
    await (await this.collection()).put({ id: this.id, version: 1, body: { block } });
  }

  private collection(): Promise<Collection<CheckedBlockDocument>> {
    this.opening ??= this.documents.open<CheckedBlockDocument>(CHECKED_BLOCKS).catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }
}
