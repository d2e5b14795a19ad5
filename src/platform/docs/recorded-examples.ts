import recorded from './recorded-examples.json';

/**
 * Calls and their answers, as the service itself gave them. `npm run examples:record` records them anew; a refusal is
 * recorded by its message and field alone.
 */
export type RecordedExamples = {
  readonly operations: Readonly<Record<string, RecordedOperation>>;
  /** The body of each type of webhook. */
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly errors: Readonly<Record<string, { readonly message: string; readonly param?: string }>>;
};

type RecordedOperation = {
  /** Absent where the operation takes no body. */
  readonly request?: unknown;
  /** By status; those of a file as `200 csv`, and a row of it as `200 jsonl`. */
  readonly answers: Readonly<Record<string, unknown>>;
};

export const RECORDED_EXAMPLES: RecordedExamples = recorded;
