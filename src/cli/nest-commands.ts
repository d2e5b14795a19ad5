import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, type Command } from '@nestjs/cqrs';
import { PortsModule } from '../composition/ports.module';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module';
import { MerchantsModule } from '../modules/merchants/merchants.module';
import type { Toolbox } from './toolbox';

@Module({})
class CommandsModule {}

/** Executes one command by its handler, as the service would. */
export async function executeCommand<Result>(toolbox: Toolbox, command: Command<Result>): Promise<Result> {
  const imports = [PortsModule.with(toolbox), CqrsModule.forRoot(), ApiKeysModule, MerchantsModule];
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
