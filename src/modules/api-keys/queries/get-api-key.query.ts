import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { refuse } from '../../../kernel/errors';
import type { Mode } from '../../../kernel/event';
import { isId } from '../../../kernel/ids';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { apiKeysReadModel, type ApiKeyDocument } from '../api-keys.read-model';

/** Throws Refusal resource_missing for a key that this merchant and mode do not have. */
export class GetApiKey extends Query<Document<ApiKeyDocument>> {
  constructor(
    readonly merchantId: string,
    readonly mode: Mode,
    readonly keyId: string,
  ) {
    super();
  }
}

@QueryHandler(GetApiKey)
export class GetApiKeyHandler implements IQueryHandler<GetApiKey> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ merchantId, mode, keyId }: GetApiKey): Promise<Document<ApiKeyDocument>> {
    const key = isId('key', keyId) ? await this.readModels.get(apiKeysReadModel, mode, keyId) : null;
    if (key?.body.merchant_id !== merchantId || key.body.mode !== mode) throw refuse('resource_missing');
    return key;
  }
}
