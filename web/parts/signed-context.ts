import type { ErrorCode } from '../../src/vocabulary/errors';
import type { PageRealm } from './page-realm';
import { createScope } from './page-scopes';

/** A refused form, which its page shows again. */
export type FormFault = {
  /** The address that the form was sent to. */
  readonly action: string;
  readonly code: ErrorCode;
  /** The field that is wrong; null where no single one is. */
  readonly param: string | null;
  readonly text: string;
  /** The fields as typed, without those that are secret. */
  readonly typed: Readonly<Record<string, string>>;
};

/** One way of a navigation, below the reader's home. */
export type Way = {
  readonly group: string;
  readonly path: string;
  readonly text: string;
  readonly icon: string;
};

/** The facts that the parts of pages for people who sign in may need beside those of every page. */
export type SignedFacts = {
  readonly realm: PageRealm;
  /** The address of the reader's first page, below which the others lie. */
  readonly home: string;
  /** The reader's, as IANA names it; null before signing in. */
  readonly timeZone: string | null;
  /** The token of the session's forms; empty before signing in. */
  readonly csrf: string;
  readonly formId: string;
  readonly fault: FormFault | null;
  readonly version: string | null;
  readonly events: string | null;
};

export const SignedContext = createScope<SignedFacts | null>(null);

export function useSigned(): SignedFacts {
  const facts = SignedContext.read();
  if (!facts) throw new Error('a part of a page for people who sign in stands outside of one');
  return facts;
}

/** The refused form of the page; null where none was. */
export function useFault(): FormFault | null {
  return useSigned().fault;
}

/** Whether the form of an address was refused, so that its question stays open. */
export function useFaulty(): (action: string) => boolean {
  const fault = useFault();
  return action => fault?.action === action;
}

/** Makes addresses of the reader's pages: `paths('payments')`, and the first page by `paths('')`. */
export function usePaths(): (path: string) => string {
  const { home } = useSigned();
  return path => (path === '' ? home : `${home}/${path}`);
}
