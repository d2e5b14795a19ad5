import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { NEWEST_API_VERSION } from '../../src/vocabulary/api-versions';
import { ERROR_CATALOGUE, type ErrorCode } from '../../src/vocabulary/error-catalogue';
import { MEDIA_TYPES, operationsOf, type ApiDocument } from '../../src/platform/docs/api-document';
import type { Reply } from '../support/http-caller';

type Envelope = { readonly error: Readonly<Record<string, unknown>> };
/** `operation` is null where the request was for none of the contract's. */
type Asked = {
  readonly operation: string | null;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
};
type Documented = {
  /** The places of the schemas, by status. */
  readonly answers: ReadonlyMap<number, string>;
  readonly codes: ReadonlySet<string>;
};

const ENVELOPE_FIELDS = ['type', 'code', 'message', 'param', 'detail', 'doc_url', 'request_log_url'];
/** Answers to methods and paths that no operation has. */
const OFF_CONTRACT: readonly ErrorCode[] = ['unknown_route', 'method_not_allowed'];
const OK_LIMIT = 300;
/** The address of the service leads a browser to the documentation. */
const FOUND = 302;

/** The service's promises about its answers, in its own document and in the catalogue. */
export class Contract {
  /** A schema is compiled once an answer needs it. */
  private readonly ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  private readonly operations = new Map<string, Documented>();
  /** The types of the operations that answer files. */
  private readonly files = new Map<string, readonly string[]>();

  constructor(document: ApiDocument) {
    this.ajv.addSchema(document, 'contract');
    for (const { path, method, operation } of operationsOf(document)) {
      const answers = new Map<number, string>();
      const codes = new Set<string>();
      for (const [status, response] of Object.entries(operation.responses)) {
        const { content } = response;
        if (!content['application/json']) {
          this.files.set(
            operation.operationId,
            MEDIA_TYPES.filter(type => type in content),
          );
          continue;
        }
        const place = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
        const pointer = place
          .map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
          .join('/');
        const named = Object.keys(content['application/json'].examples ?? {});
        if (named.length > 0) named.forEach(code => codes.add(code));
        else answers.set(Number(status), `contract#/${pointer}`);
      }
      this.operations.set(operation.operationId, { answers, codes });
    }
  }

  get operationIds(): readonly string[] {
    return [...this.operations.keys()];
  }

  /** The fault of an answer, null for none. */
  faultOf({ operation, method, headers: asked }: Asked, reply: Reply): string | null {
    const { status, headers } = reply;
    if (!/^req_[0-9a-hjkmnp-tv-z]{26}$/.test(String(headers['request-id']))) return 'there is no Request-Id';
    if (headers['cache-control'] !== 'no-store') return 'the answer may be cached';
    if (method === 'HEAD') return reply.body === '' ? null : 'HEAD is answered with a body';
    if (!/^application\/json(?:; charset=utf-8)?$/.test(String(headers['content-type']))) {
      const [type] = String(headers['content-type']).split(';');
      if (status < OK_LIMIT && this.files.get(operation ?? '')?.includes(type ?? '')) return null;
      const isPage = status < OK_LIMIT || status === FOUND || asked.accept?.includes('text/html');
      return operation === null && isPage ? null : `the answer is ${headers['content-type']}`;
    }
    const body = parsed(reply.body);
    if (body === undefined) return 'the answer is not JSON';
    return isEnvelope(body)
      ? this.errorFault(operation, reply, body)
      : this.answerFault(operation, status, asked['api-version'] === NEWEST_API_VERSION ? body : undefined);
  }

  /** Null for an answer that is no error. */
  codeOf({ body }: Reply): string | null {
    const value = parsed(body);
    return isEnvelope(value) ? String(value.error.code) : null;
  }

  /** `body` is undefined where the answer is of an older version, whose shape the document does not have. */
  private answerFault(operation: string | null, status: number, body: unknown): string | null {
    if (operation === null) return status < OK_LIMIT ? null : `${status} without the envelope`;
    const place = this.operations.get(operation)?.answers.get(status);
    const validate = place === undefined ? undefined : this.ajv.getSchema(place);
    if (!validate) return `${operation} answers ${status}, which its document does not have`;
    if (body === undefined || validate(body)) return null;
    const places = validate.errors?.map(error => `${error.instancePath.replace(/\d+/g, 'n')} ${error.message}`);
    return `${operation} drifts: ${[...new Set(places)].join('; ')}`;
  }

  private errorFault(operation: string | null, { status, headers }: Reply, { error }: Envelope): string | null {
    const code = String(error.code);
    const catalogued = ERROR_CATALOGUE[code as ErrorCode];
    if (!catalogued) return `the code ${code} is not catalogued`;
    if (code === 'internal_error') return 'it met a bug';
    if (catalogued.status !== status) return `${code} came with ${status}`;
    if (catalogued.type !== error.type) return `${code} is of type ${String(error.type)}`;
    const unknown = Object.keys(error).find(field => !ENVELOPE_FIELDS.includes(field));
    if (unknown !== undefined) return `the envelope has ${unknown}`;
    const { detail: _, param = '', ...texts } = error;
    if (typeof param !== 'string') return 'param is no text';
    if (Object.values(texts).some(text => typeof text !== 'string' || text === '')) return 'the envelope lacks a text';
    if (!String(error.doc_url).endsWith(`/errors/${code}`)) return `doc_url is ${String(error.doc_url)}`;
    // A replay is the first answer byte for byte, and names the first request.
    const own = headers['idempotent-replayed'] === 'true' ? '' : headers['request-id'];
    if (!String(error.request_log_url).includes(`/requests/${own}`)) return 'request_log_url is of another';
    if (operation === null || OFF_CONTRACT.includes(code as ErrorCode)) return null;
    return this.operations.get(operation)?.codes.has(code) ? null : `${operation} does not document ${code}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'error') return false;
  const { error } = value as Envelope;
  return typeof error === 'object' && error !== null && 'code' in error;
}
