import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const DOCUMENT_ID = 'openapi';
/** Contracts kept by a worker. All configurations of the service have one, and tests make some small ones. */
const CONTRACTS_LIMIT = 10;

const compilers = new Map<string, ContractCompiler>();

/** The service's two contracts: the public one, and the one of administrators. */
export type ContractName = 'public' | 'administrators';

/** A contract's document, and the compiler for its components. */
export type KeptContract = { readonly document: unknown; readonly compiler: ContractCompiler };

const contracts = new Map<ContractName, KeptContract>();

/** The contract as the first service of this worker served it: every service of a worker runs the same sources. */
export function keptContract(name: ContractName): KeptContract | null {
  return contracts.get(name) ?? null;
}

/** Keeps the contract, which is the document's text in JSON. */
export function keepContract(name: ContractName, text: string): KeptContract {
  const document = JSON.parse(text) as { readonly components: { readonly schemas: object } };
  const kept = { document, compiler: contractCompiler(JSON.stringify(document.components.schemas)) };
  contracts.set(name, kept);
  return kept;
}

/**
 * The compiler for a document's components, in JSON. Compiling takes longer than the checks of a test file, so jest
 * keeps this module for all test files of a worker. All arguments are texts: an object would keep its test file alive.
 */
export function contractCompiler(components: string): ContractCompiler {
  const known = compilers.get(components);
  if (known) return known;
  if (compilers.size >= CONTRACTS_LIMIT) compilers.clear();
  const made = new ContractCompiler(components);
  compilers.set(components, made);
  return made;
}

/** Each component is compiled once, as it stands. */
export class ContractCompiler {
  private readonly ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(components: string) {
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: DOCUMENT_ID, $defs: withinDefinitions(JSON.parse(components)) as object });
  }

  /** Compiles a schema in JSON, with references to the components. Throws Error for a schema that is none. */
  validator(schema: string): ValidateFunction {
    const known = this.compiled.get(schema) ?? this.ajv.compile(withinDefinitions(JSON.parse(schema)) as object);
    this.compiled.set(schema, known);
    return known;
  }
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
