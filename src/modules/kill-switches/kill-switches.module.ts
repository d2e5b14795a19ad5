import { Module } from '@nestjs/common';
import { LiftKillSwitchHandler, SetKillSwitchHandler } from './kill-switch.command';

@Module({ providers: [SetKillSwitchHandler, LiftKillSwitchHandler] })
export class KillSwitchesModule {}
