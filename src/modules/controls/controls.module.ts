import { Module } from '@nestjs/common';
import { BlockCountriesHandler } from './commands/block-countries.command';
import { AddSanctionsEntryHandler, RemoveSanctionsEntryHandler } from './commands/sanctions-entry.command';
import { SetScreeningTimeoutHandler } from './commands/set-screening-timeout.command';
import { LiftVelocityLimitHandler, SetVelocityLimitHandler } from './commands/velocity-limit.command';

@Module({
  providers: [
    SetVelocityLimitHandler,
    LiftVelocityLimitHandler,
    BlockCountriesHandler,
    SetScreeningTimeoutHandler,
    AddSanctionsEntryHandler,
    RemoveSanctionsEntryHandler,
  ],
})
export class ControlsModule {}
