import type { FastifyReply } from 'fastify';
import { invariant } from '../../src/kernel/invariant';
import type { ApiRequest } from '../../src/platform/http/caller';
import type { PageRule } from '../../src/platform/http/page-admission';
import type { Person, SignedInPerson } from './person';

/** A request to a page, and its answer. */
export type Asked = { readonly request: ApiRequest; readonly reply: FastifyReply };

/** A signed-in person's request. */
type Visit<Of extends SignedInPerson> = {
  readonly person: Of;
  readonly rule: PageRule;
  /** The text of the session's cookie, which changes with each step up. */
  secret: string;
  /** The form that has put another secret in this one's place was sent again. */
  readonly isReplaced: boolean;
  /**
   * The person as of now, for a page that stays open: roles and accounts change meanwhile. Null for a person who may no
   * longer see the page.
   */
  readonly personNow: () => Promise<Of | null>;
};

const visits = new WeakMap<object, Visit<SignedInPerson>>();

export function keepVisit(request: ApiRequest, visit: Visit<SignedInPerson>): void {
  visits.set(request, visit);
}

/** Null on a page that asks for no session. A page is of one realm, and has that realm's people. */
export function visitIn<Of extends SignedInPerson = SignedInPerson>(request: ApiRequest): Visit<Of> | null {
  return (visits.get(request) as Visit<Of> | undefined) ?? null;
}

export function visitOf<Of extends SignedInPerson = Person>(request: ApiRequest): Visit<Of> {
  const visit = visitIn<Of>(request);
  invariant(visit, 'a handler asks for the person of a page that is open to everybody');
  return visit;
}
