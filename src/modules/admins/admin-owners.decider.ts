import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import { isReleased, lastOwner, type OwnerTerm, type ReleasedTerms } from '../merchants/owner-terms';
import type { AdminOwnersEvent } from './admin-owners.events';

type AdminOwners = {
  /** Whether there is an administrator, or was one. */
  readonly hasBegun: boolean;
  readonly released: ReleasedTerms;
};

type OwnersCommand =
  | { readonly type: 'begin'; readonly adminId: string }
  /** `others` are the other active owners, as read after this stream was. */
  | { readonly type: 'release_owner'; readonly owner: OwnerTerm; readonly others: readonly OwnerTerm[] };

/** The id of the one stream. */
export const OPERATOR = 'operator';

function decide(command: OwnersCommand, { hasBegun, released }: AdminOwners): readonly AdminOwnersEvent[] {
  switch (command.type) {
    case 'begin':
      return hasBegun ? [] : [{ type: 'FirstAdminMade', data: { admin_id: command.adminId } }];
    case 'release_owner': {
      const { owner, others } = command;
      if (isReleased(released, owner)) return [];
      // An owner who is not released stays one until this stream says otherwise, so at least one is always left.
      if (others.every(other => isReleased(released, other))) throw lastOwner('This is the last owner.');
      return [{ type: 'AdminOwnerReleased', data: { admin_id: owner.userId, term: owner.term } }];
    }
    default:
      return unreachable(command);
  }
}

function evolve(state: AdminOwners, event: AdminOwnersEvent): AdminOwners {
  switch (event.type) {
    case 'FirstAdminMade':
      return { ...state, hasBegun: true };
    case 'AdminOwnerReleased': {
      const { admin_id: adminId, term } = event.data;
      return { ...state, released: { ...state.released, [adminId]: term } };
    }
    default:
      return unreachable(event);
  }
}

/** One stream says which owner may go, so that two owners cannot remove each other at once. */
export const adminOwners: Aggregate<AdminOwners, OwnersCommand, AdminOwnersEvent> = {
  category: 'admin_owners',
  notFound: null,
  initial: { hasBegun: false, released: {} },
  decide,
  evolve,
};
