import { withCommand, type AccountContext } from '../../kernel/command-context';
import { everyDocument } from '../../kernel/every-document';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { merchants } from '../../modules/merchants/merchant.decider';
import type { OwnerTerm } from '../../modules/merchants/owner-terms';
import { users } from '../../modules/users/user.decider';
import type { User } from '../../modules/users/user.state';
import { usersReadModel } from '../../modules/users/users.read-model';

const PAGE = 100;

/**
 * Keeps at least one active owner for each account. The merchant's stream alone releases owners, one after the other.
 * An owner loses the role, or is disabled, only in a term that was released. A release needs another owner who is
 * active and not released, and who stays so until the same stream says otherwise.
 */
export class OwnerRelease {
  constructor(
    private readonly writePath: WritePath,
    private readonly readModels: Pick<ReadModels, 'list'>,
  ) {}

  /**
   * The term of the owner that may end now; null where `user`, as just read, is no active owner. Throws Refusal
   * invalid_state_transition for the last owner. Where a crash follows, the owner keeps the role and counts no more.
   */
  async release(userId: string, user: User, context: AccountContext): Promise<number | null> {
    const { merchantId } = context;
    const owner = ownerTerm(userId, user, merchantId);
    if (owner === null) return null;
    const own = withCommand(context, `release-${userId}-${owner.term}`);
    await this.writePath.executePlan(
      merchants,
      merchantId,
      (_, others: readonly OwnerTerm[]) => {
        return { command: { type: 'release_owner' as const, owner, others }, context: own };
      },
      own,
      // The others must be read after the merchant's stream, or a release between the two would be missed.
      { readsFirst: true, find: () => this.others(userId, merchantId) },
    );
    return owner.term;
  }

  /** The list may be behind the log, so each user of it is read from the log. A missing one only refuses too much. */
  private async others(userId: string, merchantId: string): Promise<readonly OwnerTerm[]> {
    const owners: OwnerTerm[] = [];
    const query = { index: 'by_merchant', equals: { merchant_id: merchantId }, limit: PAGE };
    for await (const { id, body } of everyDocument(this.readModels, usersReadModel, query)) {
      if (id === userId || body.role !== 'owner') continue;
      const { state } = await this.writePath.load(users, 'platform', id);
      const owner = ownerTerm(id, state, merchantId);
      if (owner) owners.push(owner);
    }
    return owners;
  }
}

function ownerTerm(userId: string, user: User, merchantId: string): OwnerTerm | null {
  const isOwner = user.status === 'active' && user.merchantId === merchantId && user.role === 'owner';
  return isOwner ? { userId, term: user.ownerTerm } : null;
}
