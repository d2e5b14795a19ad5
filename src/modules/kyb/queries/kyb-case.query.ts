import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { WritePath } from '../../../kernel/write-path';
import { refuse } from '../../../vocabulary/errors';
import { currentCase } from '../current-case';
import type { KybDocumentFacts } from '../kyb-case.events';
import { kybCasesReadModel, type KybCaseDocument } from '../kyb-cases.read-model';
import { KybDocumentBytes } from '../kyb-document-bytes';

/** A case as its merchant sees it. */
export type ShownKybCase = KybCaseDocument & { readonly id: string };

export type KybStanding = {
  /** Null where no case is open: for a merchant who needs none, and after a rejection. */
  readonly current: ShownKybCase | null;
  /** The case before the current one, where it was rejected. */
  readonly rejected: ShownKybCase | null;
};

/** The verification of a merchant as it stands now. */
export class GetKybStanding extends Query<KybStanding> {
  constructor(readonly merchantId: string) {
    super();
  }
}

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

@QueryHandler(GetKybStanding)
export class GetKybStandingHandler implements IQueryHandler<GetKybStanding> {
  constructor(
    private readonly writePath: WritePath,
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ merchantId }: GetKybStanding): Promise<KybStanding> {
    const { id, state, rejected } = await currentCase(this.writePath, this.secretBox, merchantId);
    return {
      current: state.status === 'none' ? null : await this.find(id),
      rejected: rejected === null ? null : await this.find(rejected),
    };
  }

  private async find(id: string): Promise<ShownKybCase | null> {
    const found = await this.readModels.get(kybCasesReadModel, 'platform', id);
    return found && { ...found.body, id };
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
    const { state } = await currentCase(this.writePath, this.secretBox, merchantId);
    const named = state.status === 'none' ? undefined : state.documents.find(({ id }) => id === document);
    if (!named) throw refuse('resource_missing');
    return { name: named.name, type: named.type, bytes: await this.bytes.read(named) };
  }
}
