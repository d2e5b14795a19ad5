import { hash } from 'node:crypto';
import { HOUR_MS, isoTime, parseIsoTime, type Clock } from '../../kernel/clock';
import { invariant } from '../../kernel/invariant';
import type { Collection, CollectionSpec, Document, Documents } from '../../kernel/ports/documents';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { KybDocumentFacts } from './kyb-case.events';

/** A sealed piece is less than 2 MiB: the engines take documents of 4 MiB. */
const PIECE_BYTES = 1_048_576;
/** An upload is stored long before. Older bytes that no case names are of an upload that broke off. */
const ABANDONED_MS = HOUR_MS;
/** More pieces than the documents of a case have. */
const LISTED_PIECES = 1_000;

type Piece = {
  readonly kyb_case: string;
  readonly document: string;
  readonly sealed: string;
  /** By the wall's clock. */
  readonly written_at: string;
};
type Place = { readonly merchantId: string; readonly kybCase: string; readonly document: string };

export const KYB_PIECES: CollectionSpec = { name: 'kyb_document_pieces', indexes: { by_case: ['kyb_case', 'id'] } };

/** The bytes of the documents of cases, sealed. The log names them, and never holds them. */
export class KybDocumentBytes {
  private constructor(
    private readonly pieces: Collection<Piece>,
    private readonly secretBox: SecretBox,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  static async open(documents: Documents, secretBox: SecretBox, clock: Pick<Clock, 'now'>): Promise<KybDocumentBytes> {
    return new KybDocumentBytes(await documents.open<Piece>(KYB_PIECES), secretBox, clock);
  }

  /** Stored again, the same document takes the place of itself. */
  async store({ merchantId, kybCase, document }: Place, bytes: Uint8Array): Promise<void> {
    const owner = { universe: 'platform', merchantId } as const;
    const written_at = isoTime(this.clock.now());
    for (const [number, id] of pieceIds(document, bytes.length).entries()) {
      const part = Buffer.from(bytes.subarray(number * PIECE_BYTES, (number + 1) * PIECE_BYTES)).toString('base64');
      const sealed = await this.secretBox.seal(part, id, owner);
      await this.pieces.put({ id, version: 1, body: { kyb_case: kybCase, document, sealed, written_at } });
    }
  }

  /** The document's bytes, the same that were sent. */
  async read({ id: document, size, sha256 }: Pick<KybDocumentFacts, 'id' | 'size' | 'sha256'>): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (const id of pieceIds(document, size)) {
      const piece = await this.pieces.get(id);
      invariant(piece !== null, `${id} of a document is missing`);
      parts.push(Buffer.from(await this.secretBox.open(piece.body.sealed, id), 'base64'));
    }
    const bytes = Buffer.concat(parts);
    invariant(hash('sha256', bytes) === sha256, `the bytes of ${document} are not those that were sent`);
    return bytes;
  }

  async remove(kybCase: string, document: string): Promise<void> {
    await this.removeWhere(kybCase, ({ body }) => body.document === document);
  }

  /** Removes the bytes of uploads and of removals that broke off: bytes that the case does not name. */
  async removeAbandoned(kybCase: string, named: readonly Pick<KybDocumentFacts, 'id'>[]): Promise<void> {
    const nowMs = this.clock.now();
    await this.removeWhere(kybCase, ({ body }) => {
      const isNamed = named.some(({ id }) => id === body.document);
      return !isNamed && nowMs - parseIsoTime(body.written_at) >= ABANDONED_MS;
    });
  }

  private async removeWhere(kybCase: string, isGone: (piece: Document<Piece>) => boolean): Promise<void> {
    const query = { index: 'by_case', equals: { kyb_case: kybCase }, limit: LISTED_PIECES, omit: ['sealed'] };
    const gone = (await this.pieces.list(query)).filter(isGone);
    await Promise.all(gone.map(({ id, version }) => this.pieces.deleteUpTo(id, version)));
  }
}

function pieceIds(document: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(size / PIECE_BYTES) }, (_, number) => `${document}.${number}`);
}
