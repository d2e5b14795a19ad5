import { Module } from '@nestjs/common';
import { LiftKillSwitchHandler, SetKillSwitchHandler } from './commands/kill-switch.command';

@Module({ providers: [SetKillSwitchHandler, LiftKillSwitchHandler] })
export class KillSwitchesModule {}
