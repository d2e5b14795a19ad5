import type { FastifyReply } from 'fastify';
import { invariant } from '../../src/kernel/invariant';
import type { ApiRequest } from '../../src/platform/http/caller';
import type { PageRule } from '../../src/platform/http/page-admission';
import type { Person } from './person';

/** A request to a page, and its answer. */
export type Asked = { readonly request: ApiRequest; readonly reply: FastifyReply };

/** A signed-in person's request. */
type Visit = {
  readonly person: Person;
  readonly rule: PageRule;
  /** The text of the session's cookie, which changes with each step up. */
  secret: string;
  /** The form that has put another secret in this one's place was sent again. */
  readonly isReplaced: boolean;
  /** Whether the person may still see the page: the session may end, and the role may change. */
  readonly isAllowed: () => Promise<boolean>;
};

const visits = new WeakMap<object, Visit>();

export function keepVisit(request: ApiRequest, visit: Visit): void {
  visits.set(request, visit);
}

/** Null on a page that asks for no session. */
export function visitIn(request: ApiRequest): Visit | null {
  return visits.get(request) ?? null;
}

export function visitOf(request: ApiRequest): Visit {
  const visit = visits.get(request);
  invariant(visit, 'a handler asks for the person of a page that is open to everybody');
  return visit;
}
