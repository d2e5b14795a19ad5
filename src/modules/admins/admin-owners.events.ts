/** From now on no start asks for the variables that make the first owner. */
type FirstAdminMade = { readonly type: 'FirstAdminMade'; readonly data: { readonly admin_id: string } };

/**
 * The operator can do without this owner. A term is the ordinal number of the administrator's time as an owner, which
 * may end from now on.
 */
type AdminOwnerReleased = {
  readonly type: 'AdminOwnerReleased';
  readonly data: { readonly admin_id: string; readonly term: number };
};

export type AdminOwnersEvent = FirstAdminMade | AdminOwnerReleased;
