import type { ValidateFunction } from 'ajv/dist/2020';
import {
  MEDIA_TYPES,
  type ApiDocument,
  type MediaTypeName,
  type Method,
  type Operation,
  type PathItem,
} from '../../src/platform/docs/api-document';
import {
  contractCompiler,
  keepContract,
  keptContract,
  type ContractCompiler,
  type ContractName,
  type KeptContract,
} from './contract-compilers';

export type Exchange = {
  readonly method: string;
  /** The requested path, with or without a query. */
  readonly path: string;
  readonly status: number;
  /** Of a file in CSV its text, and of lines of JSON one of them. */
  readonly body: unknown;
  /** By default JSON's. */
  readonly type?: MediaTypeName;
};

const FETCH_LIMIT_MS = 10_000;

/** Answers that belong to no operation, because no operation was reached. */
const OUTSIDE_OPERATIONS = ['unknown_route', 'method_not_allowed', 'missing_path_parameter', 'invalid_path'];

const validations = new Map<ContractName, OpenApiValidation>();

/** Holds answers against the contract that the service serves. */
export class OpenApiValidation {
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(
    readonly document: ApiDocument,
    private readonly compiler: ContractCompiler = contractCompiler(JSON.stringify(document.components.schemas)),
  ) {}

  /** By the contract that a service of this worker has served; null before the first. */
  static kept(name: ContractName): OpenApiValidation | null {
    const known = validations.get(name);
    if (known) return known;
    const kept = keptContract(name);
    return kept && ofKept(name, kept);
  }

  /** By the contract that a service serves, which later tests of this worker then take as it stands. */
  static keep(name: ContractName, text: string): OpenApiValidation {
    return ofKept(name, keepContract(name, text));
  }

  /** By the public contract that the service at the address serves. */
  static async of(baseUrl: string): Promise<OpenApiValidation> {
    const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) });
    if (!response.ok) throw new Error(`/openapi.json answered ${response.status}`);
    return OpenApiValidation.keep('public', await response.text());
  }

  /** Throws Error that names the operation and the difference, if the answer is none that the contract describes. */
  check({ method, path, status, body, type = 'application/json' }: Exchange): void {
    const operation = this.operationOf(method, path);
    if (!operation) {
      if (OUTSIDE_OPERATIONS.includes(codeOf(body))) return;
      throw new Error(`${method} ${path} is not in the contract`);
    }
    const schema = operation.responses[status]?.content[type]?.schema;
    const place = `${operation.operationId} answered ${status}`;
    if (!schema) throw new Error(`${place} ${codeOf(body)}, which the contract does not list`);
    const validate = this.validator(`${operation.operationId} ${status} ${type}`, schema);
    if (validate(body)) return;
    const faults = (validate.errors ?? []).map(fault => `${fault.instancePath || '/'} ${fault.message ?? ''}`);
    throw new Error(`${place}, not as the contract says:\n${faults.join('\n')}\n${JSON.stringify(body)}`);
  }

  /** Throws Error where the contract lists no answer without a body for the status. */
  checkEmpty({ method, path, status }: Omit<Exchange, 'body' | 'type'>): void {
    const content = this.operationOf(method, path)?.responses[status]?.content;
    if (content && Object.keys(content).length === 0) return;
    throw new Error(`${method} ${path} answered ${status} without a body, which the contract does not list`);
  }

  /**
   * Reads and checks the text of an answer: the value of JSON, the text of CSV, or the values of lines of JSON. Throws
   * Error as `check` does.
   */
  checkText(asked: Omit<Exchange, 'body' | 'type'>, contentType: string | undefined, text: string): unknown {
    const { type, body } = contentOf(contentType, text);
    for (const value of type === 'application/x-ndjson' ? (body as readonly unknown[]) : [body])
      this.check({ ...asked, type, body: value });
    return body;
  }

  /**
   * Compiles any schema of the document, whose references are resolved in it. Throws Error for a schema that is none.
   */
  validator(name: string, schema: object): ValidateFunction {
    const known = this.compiled.get(name) ?? this.compiler.validator(JSON.stringify(schema));
    this.compiled.set(name, known);
    return known;
  }

  private operationOf(method: string, path: string): Operation | undefined {
    const template = this.templateOf(path);
    return template === undefined ? undefined : this.document.paths[template]?.[method.toLowerCase() as Method];
  }

  private templateOf(path: string): string | undefined {
    const segments = (path.split('?')[0] as string).split('/');
    const fits = ([template]: [string, PathItem]): boolean => {
      const parts = template.split('/');
      return (
        parts.length === segments.length && parts.every((part, at) => part.startsWith('{') || part === segments[at])
      );
    };
    return Object.entries(this.document.paths).find(fits)?.[0];
  }
}

/** The content of an answer by its type, which is JSON's where none is told. */
export function contentOf(contentType: string | undefined, text: string): Required<Pick<Exchange, 'type' | 'body'>> {
  const type = MEDIA_TYPES.find(known => contentType?.split(';')[0] === known) ?? 'application/json';
  if (type === 'text/csv') return { type, body: text };
  if (type === 'application/json') return { type, body: JSON.parse(text) as unknown };
  const lines = text.split('\n').slice(0, -1);
  return { type, body: lines.map(line => JSON.parse(line) as unknown) };
}

function ofKept(name: ContractName, { document, compiler }: KeptContract): OpenApiValidation {
  const validation = new OpenApiValidation(document as ApiDocument, compiler);
  validations.set(name, validation);
  return validation;
}

function codeOf(body: unknown): string {
  return (body as { readonly error?: { readonly code?: string } } | null)?.error?.code ?? 'without an envelope';
}
