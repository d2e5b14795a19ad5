import { createHash, type Hash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../../src/vocabulary/json';
import type { Collection, Document } from '../../src/kernel/ports/documents';
import { scan } from './projection-collection';

/** Differing ids that are kept; a comparison that meets more has its answer. */
const SUSPECT_LIMIT = 100_000;

type Comparison = {
  readonly documents: number;
  /** SHA-256 over `{body, id, version}` of all documents as canonical JSON, a line each, ordered by id. */
  readonly sha256Live: string;
  readonly sha256Rebuilt: string;
  /** Ids, ascending, that differed as they were read; with writers at work, such a document may only have moved. */
  readonly suspects: readonly string[];
};

export function canonicalDocument({ id, version, body }: Document): string {
  return canonicalJson({ id, version, body });
}

/** Reads both once, side by side in the order of ids. `scannableSpec` opened both. */
export async function compareCollections<Body extends JsonObject>(
  live: Collection<Body>,
  rebuilt: Collection<Body>,
): Promise<Comparison> {
  const left = new Side(scan(live));
  const right = new Side(scan(rebuilt));
  const suspects: string[] = [];
  let documents = 0;
  await Promise.all([left.advance(), right.advance()]);
  while (left.current || right.current) {
    const order = compareIds(left.current, right.current);
    const first = (order <= 0 ? left.current : right.current) as Line;
    if (left.current?.text !== right.current?.text && suspects.length < SUSPECT_LIMIT) suspects.push(first.id);
    if (order >= 0) documents++;
    await Promise.all([order <= 0 && left.advance(), order >= 0 && right.advance()]);
  }
  return { documents, sha256Live: left.digest(), sha256Rebuilt: right.digest(), suspects };
}

type Line = { readonly id: string; readonly text: string };

class Side {
  current: Line | null = null;
  private readonly hash: Hash = createHash('sha256');

  constructor(private readonly documents: AsyncGenerator<Document>) {}

  async advance(): Promise<void> {
    const next = await this.documents.next();
    this.current = next.done ? null : { id: next.value.id, text: canonicalDocument(next.value) };
    if (this.current) this.hash.update(this.current.text).update('\n');
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}

/** Compares ids as the engines do: by their bytes. A collection that has come to its end is last. */
function compareIds(left: Line | null, right: Line | null): number {
  if (!left || !right) return left ? -1 : 1;
  return left.id === right.id ? 0 : Buffer.compare(Buffer.from(left.id), Buffer.from(right.id));
}
