import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, type Command } from '@nestjs/cqrs';
import { AccountsModule } from '../composition/accounts.module';
import { AdministratorsModule } from '../composition/administrators.module';
import { composeNotices, peopleMailPorts } from '../composition/notices';
import { PortsModule } from '../composition/ports.module';
import { ApprovalsModule } from '../modules/approvals/approvals.module';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module';
import { KillSwitchesModule } from '../modules/kill-switches/kill-switches.module';
import { KybModule } from '../modules/kyb/kyb.module';
import { MerchantsModule } from '../modules/merchants/merchants.module';
import { SessionsModule } from '../modules/sessions/sessions.module';
import { SIGN_UP } from '../modules/users/sign-up';
import { ReplayParkedMessagesHandler } from '../modules/system/maintenance.command';
import { RoutesModule } from '../modules/routes/routes.module';
import type { Toolbox } from './toolbox';

@Module({})
class CommandsModule {}

/** Executes one command by its handler, as the service would. */
export async function executeCommand<Result>(toolbox: Toolbox, command: Command<Result>): Promise<Result> {
  const ports = PortsModule.with(toolbox, [
    ...peopleMailPorts(await composeNotices(toolbox, null)),
    { provide: SIGN_UP, useValue: toolbox.config.signUp },
  ]);
  const ofPeople = [AccountsModule, AdministratorsModule, SessionsModule, KybModule, MerchantsModule];
  const imports = [
    ports,
    CqrsModule.forRoot(),
    ...ofPeople,
    ApiKeysModule,
    ApprovalsModule,
    KillSwitchesModule,
    RoutesModule,
  ];
  const context = await NestFactory.createApplicationContext(
    { module: CommandsModule, imports, providers: [ReplayParkedMessagesHandler] },
    { logger: ['error', 'fatal'], abortOnError: false },
  );
  try {
    await context.init();
    return await context.get(CommandBus).execute(command);
  } finally {
    await context.close();
  }
}
