import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../../kernel/errors';
import type { Schema } from './openapi-schema';

/** What the document says of a route beyond what its scope, its body's class and the guards tell by themselves. */
export type OperationFacts = {
  /** The operationId: a name that generated clients give to their method, so it never changes. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Of the answer with status 200. */
  readonly answer: Schema;
  /** Of answers with further statuses that are no errors. */
  readonly otherAnswers?: Readonly<Record<number, Schema>>;
  /** Takes `limit` and `starting_after`. */
  readonly paged?: true;
  /** Query parameters beside those of paging, none of them required. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Headers beside those that its decorators tell of, none of them required. */
  readonly headers?: Readonly<Record<string, Schema>>;
  /** What the route itself can refuse with; what its guards, its body's rules and its paging refuse with is known. */
  readonly refuses: readonly ErrorCode[];
};

export type OperationTable = Readonly<Record<string, OperationFacts>>;

/** What a class of routes tells of the calls that the service itself makes: one for each type. */
export type WebhookFacts = {
  readonly types: readonly string[];
  readonly reserved: readonly string[];
  readonly body: Schema;
};

export const DOCUMENTED = Symbol('documented operation');
export const TAGS = Symbol('documented tags');
export const WEBHOOKS = Symbol('documented webhooks');

export const Documented = (facts: OperationFacts) => SetMetadata(DOCUMENTED, facts);

/** The heading under which the document lists a class's routes. */
export const Tagged = (...tags: readonly string[]) => SetMetadata(TAGS, tags);

export const SendsWebhooks = (facts: WebhookFacts) => SetMetadata(WEBHOOKS, facts);
