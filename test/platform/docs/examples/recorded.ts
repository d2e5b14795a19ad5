import { operationsOf, type ApiDocument } from '../../../../src/platform/docs/api-document';
import type { RecordedExamples } from '../../../../src/platform/docs/recorded-examples';
import { Normalised } from './normalised';

type Collected = { request?: unknown; readonly answers: Record<string, unknown> };

type Call = { readonly line: string; readonly request?: unknown; readonly status: number; readonly body: unknown };

const DONE = 200;
/** The answer of a process that is not ready is no refusal. */
const isRefused = ({ body }: Call): boolean => typeof body === 'object' && body !== null && 'error' in body;

/** Collects calls and their answers, as examples of the operations that took them. */
export class Recorded {
  private readonly operations = new Map<string, Collected>();
  private readonly errors = new Map<string, { message: string; param?: string }>();
  private readonly webhooks = new Map<string, unknown>();

  constructor(private readonly document: ApiDocument) {}

  /** The first answer of each status stands, with the request of the first one that was done. */
  add(call: Call): void {
    if (isRefused(call)) return this.addRefusal(call.body as { readonly error: Readonly<Record<string, string>> });
    const id = this.operationOf(call.line);
    const known = this.operations.get(id) ?? { answers: {} };
    this.operations.set(id, known);
    const isFirstDone = call.status === DONE && known.answers[DONE] === undefined;
    if (isFirstDone && call.request !== undefined) known.request = call.request;
    known.answers[call.status] ??= call.body;
  }

  /** The same list in both formats: the text of CSV, and the first line of JSON. */
  addFile(line: string, csv: unknown, lines: readonly unknown[]): void {
    this.operations.set(this.operationOf(line), { answers: { '200 csv': csv, '200 jsonl': lines[0] } });
  }

  /** The newest body of each type stands. */
  addWebhook(body: string): void {
    const event = JSON.parse(body) as { readonly type: string };
    this.webhooks.set(event.type, event);
  }

  /** All of it in the document's order, with ids and secrets that say nothing. */
  get examples(): RecordedExamples {
    const normalised = new Normalised();
    const inOrder = <T>(names: readonly string[], found: ReadonlyMap<string, T>): Readonly<Record<string, T>> =>
      Object.fromEntries(names.flatMap(name => (found.has(name) ? [[name, found.get(name) as T]] : [])));
    const ids = operationsOf(this.document).map(({ operation }) => operation.operationId);
    return normalised.value({
      operations: inOrder(ids, this.operations),
      webhooks: inOrder(Object.keys(this.document.webhooks), this.webhooks),
      errors: inOrder([...this.errors.keys()].sort(), this.errors),
    });
  }

  private addRefusal({ error }: { readonly error: Readonly<Record<string, string>> }): void {
    const { code = '', message = '', param } = error;
    if (!this.errors.has(code)) this.errors.set(code, { message, ...(param !== undefined && { param }) });
  }

  private operationOf(line: string): string {
    const [method = '', target = ''] = line.split(' ');
    const segments = (target.split('?')[0] ?? '').split('/');
    const found = operationsOf(this.document).find(located => {
      const parts = located.path.split('/');
      const fits = (part: string, at: number): boolean => part.startsWith('{') || part === segments[at];
      return located.method === method.toLowerCase() && parts.length === segments.length && parts.every(fits);
    });
    if (!found) throw new Error(`${line} is not in the contract`);
    return found.operation.operationId;
  }
}
