import { Global, Module } from '@nestjs/common';
import { AccessReader } from '../../kernel/access-reader';
import { PORTS } from '../../kernel/ports/injection';
import type { Documents } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import { ApiKeysController } from './api/api-keys.controller';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { ApiKeyUses } from './api-key-uses';
import { ApiKeyUseWriter } from './api-key-use-writer';
import { MintApiKeyHandler } from './commands/mint-api-key.command';
import { RevokeApiKeyHandler } from './commands/revoke-api-key.command';
import { RotateApiKeyHandler } from './commands/rotate-api-key.command';
import { StoredKeys } from './stored-keys';

/** Global, since pages tell when keys were last used. */
@Global()
@Module({
  controllers: [ApiKeysController],
  providers: [
    MintApiKeyHandler,
    RotateApiKeyHandler,
    RevokeApiKeyHandler,
    {
      provide: StoredKeys,
      useFactory: (readModels: ReadModels, access: AccessReader) => new StoredKeys(readModels, access),
      inject: [PORTS.readModels, AccessReader],
    },
    {
      provide: ApiKeyUses,
      useFactory: (documents: Documents) => ApiKeyUses.open(documents),
      inject: [PORTS.documents],
    },
    {
      provide: ApiKeyUseWriter,
      useFactory: (...ports: ConstructorParameters<typeof ApiKeyUseWriter>) => new ApiKeyUseWriter(...ports),
      inject: [ApiKeyUses, PORTS.clock, PORTS.log],
    },
    {
      provide: ApiKeyAuthenticator,
      useFactory: (keys: StoredKeys, uses: ApiKeyUses) => new ApiKeyAuthenticator(keys, uses),
      inject: [StoredKeys, ApiKeyUses],
    },
  ],
  exports: [ApiKeyAuthenticator, ApiKeyUses],
})
export class ApiKeysModule {}
