import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, type Command } from '@nestjs/cqrs';
import { AccountsModule } from '../composition/accounts.module';
import { AdministratorsModule } from '../composition/administrators.module';
import { composeNotices } from '../composition/notices';
import { PortsModule } from '../composition/ports.module';
import { ApprovalsModule } from '../modules/approvals/approvals.module';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module';
import { KillSwitchesModule } from '../modules/kill-switches/kill-switches.module';
import { KybModule } from '../modules/kyb/kyb.module';
import { MerchantsModule } from '../modules/merchants/merchants.module';
import { REFUSED_SIGN_INS_NOTICE } from '../modules/sessions/refused-sign-ins';
import { SessionsModule } from '../modules/sessions/sessions.module';
import { ACCOUNT_MAIL } from '../modules/users/account-mail';
import { SIGN_UP } from '../modules/users/sign-up';
import { BARRED_CODES_NOTICE } from '../modules/users/wrong-codes';
import { RoutesModule } from '../modules/routes/routes.module';
import type { Toolbox } from './toolbox';

@Module({})
class CommandsModule {}

/** Executes one command by its handler, as the service would. */
export async function executeCommand<Result>(toolbox: Toolbox, command: Command<Result>): Promise<Result> {
  const { barredCodesMail, peopleMail } = await composeNotices(toolbox, null);
  const ports = PortsModule.with(toolbox, [
    { provide: BARRED_CODES_NOTICE, useValue: barredCodesMail },
    { provide: REFUSED_SIGN_INS_NOTICE, useValue: peopleMail },
    { provide: ACCOUNT_MAIL, useValue: peopleMail },
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
