import { withCommand, type PlatformContext } from '../../kernel/command-context';
import { everyDocument } from '../../kernel/every-document';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { adminOwners, OPERATOR } from '../../modules/admins/admin-owners.decider';
import { admins } from '../../modules/admins/admin.decider';
import type { Admin } from '../../modules/admins/admin.state';
import { adminsReadModel } from '../../modules/admins/admins.read-model';
import type { OwnerTerm } from '../../modules/merchants/owner-terms';

const PAGE = 100;
/** From so many active owners on, one of them approves the wish of another one. */
const OWNERS_OF_FOUR_EYES = 2;
type Context = PlatformContext<'platform'>;

/**
 * Keeps at least one active owner among the administrators, as OwnerRelease does for each account. An owner goes only
 * in a term that the one stream of owners has released.
 */
export class AdminOwners {
  constructor(
    private readonly writePath: WritePath,
    private readonly readModels: Pick<ReadModels, 'list'>,
  ) {}

  /** Whether there is an administrator, or was one. */
  async hasBegun(): Promise<boolean> {
    return (await this.writePath.load(adminOwners, 'platform', OPERATOR)).state.hasBegun;
  }

  async begin(adminId: string, context: Context): Promise<void> {
    await this.writePath.execute(adminOwners, OPERATOR, { type: 'begin', adminId }, withCommand(context, 'first'));
  }

  /** Whether two administrators decide about actions of four eyes, and not the command line alone. */
  async haveFourEyes(): Promise<boolean> {
    return (await this.others(null)).length >= OWNERS_OF_FOUR_EYES;
  }

  /**
   * The term of the owner that may end now; null where `admin`, as just read, is no active owner. Throws Refusal
   * invalid_state_transition for the last owner. Where a crash follows, the owner keeps the role and counts no more.
   */
  async release(adminId: string, admin: Admin, context: Context): Promise<number | null> {
    const owner = ownerTerm(adminId, admin);
    if (owner === null) return null;
    const own = withCommand(context, `release-${adminId}-${owner.term}`);
    await this.writePath.executePlan(
      adminOwners,
      OPERATOR,
      (_, others: readonly OwnerTerm[]) => {
        return { command: { type: 'release_owner' as const, owner, others }, context: own };
      },
      own,
      // The others must be read after the stream, or a release between the two would be missed.
      { readsFirst: true, find: () => this.others(adminId) },
    );
    return owner.term;
  }

  /** The active owners, save the one of the id. The list may be behind the log: a missing one only refuses too much. */
  private async others(adminId: string | null): Promise<readonly OwnerTerm[]> {
    const owners: OwnerTerm[] = [];
    const query = { index: 'by_role', equals: { role: 'owner' }, limit: PAGE };
    for await (const { id } of everyDocument(this.readModels, adminsReadModel, query)) {
      if (id === adminId) continue;
      const { state } = await this.writePath.load(admins, 'platform', id);
      const owner = ownerTerm(id, state);
      if (owner) owners.push(owner);
    }
    return owners;
  }
}

function ownerTerm(adminId: string, admin: Admin): OwnerTerm | null {
  return admin.status === 'active' && admin.role === 'owner' ? { userId: adminId, term: admin.ownerTerm } : null;
}
