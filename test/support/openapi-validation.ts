import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { ApiDocument, Method, PathItem } from '../../src/platform/docs/api-document';

export type Exchange = {
  readonly method: string;
  /** The requested path, with or without a query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

const DOCUMENT_ID = 'openapi';
const FETCH_LIMIT_MS = 10_000;

/** Answers that belong to no operation, because no operation was reached. */
const OUTSIDE_OPERATIONS = ['unknown_route', 'method_not_allowed', 'missing_path_parameter', 'invalid_path'];

const loaded = new Map<string, OpenApiValidation>();

/** Holds answers against the contract that the service serves. */
export class OpenApiValidation {
  private readonly ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(readonly document: ApiDocument) {
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: DOCUMENT_ID, $defs: withinDefinitions(document.components.schemas) as object });
  }

  /** The validation by the document of the service at the address, asked until it has answered once. */
  static async of(baseUrl: string): Promise<OpenApiValidation> {
    const known = loaded.get(baseUrl) ?? (await load(baseUrl));
    loaded.set(baseUrl, known);
    return known;
  }

  /** Throws Error that names the operation and the difference, if the answer is none that the contract describes. */
  check({ method, path, status, body }: Exchange): void {
    const template = this.templateOf(path);
    const operation = template && this.document.paths[template]?.[method.toLowerCase() as Method];
    if (!operation) {
      if (OUTSIDE_OPERATIONS.includes(codeOf(body))) return;
      throw new Error(`${method} ${path} is not in the contract`);
    }
    const schema = operation.responses[status]?.content['application/json'].schema;
    const place = `${operation.operationId} answered ${status}`;
    if (!schema) throw new Error(`${place} ${codeOf(body)}, which the contract does not list`);
    const validate = this.validator(`${operation.operationId} ${status}`, schema);
    if (validate(body)) return;
    const faults = (validate.errors ?? []).map(fault => `${fault.instancePath || '/'} ${fault.message ?? ''}`);
    throw new Error(`${place}, not as the contract says:\n${faults.join('\n')}\n${JSON.stringify(body)}`);
  }

  /**
   * Compiles any schema of the document, whose references are resolved in it. Throws Error for a schema that is none.
   */
  validator(name: string, schema: object): ValidateFunction {
    const known = this.compiled.get(name) ?? this.ajv.compile(withinDefinitions(schema) as object);
    this.compiled.set(name, known);
    return known;
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

async function load(baseUrl: string): Promise<OpenApiValidation> {
  const response = await fetch(`${baseUrl}/openapi.json`, { signal: AbortSignal.timeout(FETCH_LIMIT_MS) });
  if (!response.ok) throw new Error(`/openapi.json answered ${response.status}`);
  return new OpenApiValidation((await response.json()) as ApiDocument);
}

/** The schema with its references turned to where the components stand in the compiler. */
function withinDefinitions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withinDefinitions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref'
        ? String(member).replace('#/components/schemas/', `${DOCUMENT_ID}#/$defs/`)
        : withinDefinitions(member),
    ]),
  );
}

function codeOf(body: unknown): string {
  return (body as { readonly error?: { readonly code?: string } } | null)?.error?.code ?? 'without an envelope';
}
