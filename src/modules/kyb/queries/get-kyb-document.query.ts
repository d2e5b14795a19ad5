import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { loadCurrentCase } from '../current-case';
import type { KybDocumentFacts } from '../kyb-case.events';
import { KybDocumentBytes } from '../kyb-document-bytes';

export type KybFile = Pick<KybDocumentFacts, 'name' | 'type'> & { readonly bytes: Buffer };

/** One document of the merchant's current case. Throws Refusal resource_missing. */
export class GetKybDocument extends Query<KybFile> {
  constructor(
    readonly merchantId: string,
    readonly document: string,
  ) {
    super();
  }
}

@QueryHandler(GetKybDocument)
export class GetKybDocumentHandler implements IQueryHandler<GetKybDocument> {
  constructor(
    private readonly writePath: WritePath,
    private readonly bytes: KybDocumentBytes,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
  ) {}

  async execute({ merchantId, document }: GetKybDocument): Promise<KybFile> {
    const { current } = await loadCurrentCase(this.writePath, this.secretBox, merchantId);
    const { state } = current;
    const named = state.status === 'none' ? undefined : state.documents.find(({ id }) => id === document);
    if (!named) throw refuse('resource_missing');
    return { name: named.name, type: named.type, bytes: await this.bytes.read(named) };
  }
}
