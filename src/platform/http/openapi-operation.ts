import { SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../../vocabulary/errors';
import type { MediaTypeName } from '../docs/api-document';
import type { Schema } from './openapi-schema';
import type { Tag } from './openapi-tags';

/** The document's facts about a route, beyond those of its scope, its body's class and the guards. */
export type OperationFacts = {
  /** The operationId: generated clients name their method by it, so it never changes. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The schema of the answer with status 200, of each row where that is a file; null for an answer without a body. */
  readonly answer: Schema | null;
  /** The answer is a file of rows, as CSV or as lines of JSON. */
  readonly isFile?: true;
  /** The answer is a file of one of these media types, as it was sent. */
  readonly sentAs?: readonly MediaTypeName[];
  /** The schemas of answers with further statuses that are no errors. */
  readonly otherAnswers?: Readonly<Record<number, Schema>>;
  /** The route takes `limit` and `starting_after`. */
  readonly paged?: true;
  /** Query parameters beside those of paging, none of them required. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Headers beside those of its decorators, none of them required. */
  readonly headers?: Readonly<Record<string, Schema>>;
  /**
   * Codes with which the route itself can refuse; the codes of its guards, its body's rules and its paging are known.
   */
  readonly refuses: readonly ErrorCode[];
};

export type OperationTable = Readonly<Record<string, OperationFacts>>;

/** The facts about calls that the service itself makes: one for each type. */
export type WebhookFacts = {
  readonly types: readonly string[];
  readonly reserved: readonly string[];
  readonly body: Schema;
  /** The `status` of `data` in a type's body; null for a type that is never sent. */
  readonly statusOf: (type: string) => string | null;
};

export const DOCUMENTED = Symbol('documented operation');
export const TAGS = Symbol('documented tags');
export const WEBHOOKS = Symbol('documented webhooks');

export const Documented = (facts: OperationFacts) => SetMetadata(DOCUMENTED, facts);

/** The heading under which the document lists a class's routes. */
export const Tagged = (...tags: readonly Tag[]) => SetMetadata(TAGS, tags);

export const SendsWebhooks = (facts: WebhookFacts) => SetMetadata(WEBHOOKS, facts);
