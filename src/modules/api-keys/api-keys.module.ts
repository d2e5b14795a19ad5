import { Global, Module } from '@nestjs/common';
import { AccessReader } from '../../kernel/access-reader';
import type { Entropy } from '../../kernel/entropy';
import { PORTS } from '../../kernel/ports/injection';
import type { Documents } from '../../kernel/ports/documents';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { SecretBox } from '../../kernel/ports/secret-box';
import { WritePath } from '../../kernel/write-path';
import { ApiKeysController } from './api/api-keys.controller';
import { ApiKeyAuthenticator } from './api-key-authenticator';
import { ApiKeyUses } from './api-key-uses';
import { ApiKeyUseWriter } from './api-key-use-writer';
import { MintApiKeyHandler } from './commands/mint-api-key.command';
import { RevokeApiKeyHandler } from './commands/revoke-api-key.command';
import { RotateApiKeyHandler } from './commands/rotate-api-key.command';
import { Minting } from './minting';
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
      provide: Minting,
      useFactory: (writes: WritePath, entropy: Entropy, box: SecretBox, keys: StoredKeys) =>
        new Minting(writes, entropy, box, keys),
      inject: [WritePath, PORTS.entropy, PORTS.secretBox, StoredKeys],
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
