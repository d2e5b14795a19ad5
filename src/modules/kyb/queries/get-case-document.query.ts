import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { refuse } from '../../../vocabulary/errors';
import { isId } from '../../../vocabulary/ids';
import { KybDocumentBytes } from '../kyb-document-bytes';
import { kybCasesReadModel } from '../kyb-cases.read-model';
import type { KybFile } from './get-kyb-document.query';

/** One document of a case, whoever's. Throws Refusal kyb_case_not_found or resource_missing. */
export class GetCaseDocument extends Query<KybFile> {
  constructor(
    readonly caseId: string,
    readonly document: string,
  ) {
    super();
  }
}

@QueryHandler(GetCaseDocument)
export class GetCaseDocumentHandler implements IQueryHandler<GetCaseDocument> {
  constructor(
    private readonly bytes: KybDocumentBytes,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ caseId, document }: GetCaseDocument): Promise<KybFile> {
    const found = isId('kyb', caseId) ? await this.readModels.get(kybCasesReadModel, 'platform', caseId) : null;
    if (!found) throw refuse('kyb_case_not_found');
    const named = found.body.documents.find(({ id }) => id === document);
    if (!named) throw refuse('resource_missing');
    return { name: named.name, type: named.type, bytes: await this.bytes.read(named) };
  }
}
