import { Global, Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, type Command } from '@nestjs/cqrs';
import { PORTS } from '../kernel/ports/injection';
import { WritePath } from '../kernel/write-path';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module';
import { MerchantsModule } from '../modules/merchants/merchants.module';
import type { Toolbox } from './toolbox';

@Global()
@Module({})
class ToolboxModule {
  static with(toolbox: Toolbox): DynamicModule {
    const { writes, store, clock, entropy, documents, readModels, secretBox, log } = toolbox;
    const ports = { clock, entropy, eventStore: store, documents, readModels, secretBox, log };
    const providers = [
      ...Object.entries(ports).map(([name, useValue]) => ({ provide: PORTS[name as keyof typeof ports], useValue })),
      { provide: WritePath, useValue: writes },
    ];
    return { module: ToolboxModule, providers, exports: providers };
  }
}

@Module({})
class CommandsModule {}

/** Executes one command by its handler, as the service would. */
export async function executeCommand<Result>(toolbox: Toolbox, command: Command<Result>): Promise<Result> {
  const imports = [ToolboxModule.with(toolbox), CqrsModule.forRoot(), ApiKeysModule, MerchantsModule];
  const context = await NestFactory.createApplicationContext(
    { module: CommandsModule, imports },
    { logger: ['error', 'fatal'], abortOnError: false },
  );
  try {
    await context.init();
    return await context.get(CommandBus).execute(command);
  } finally {
    await context.close();
  }
}
