import { Module } from '@nestjs/common';
import { ControlsController } from './api/controls.controller';
import { LiftVelocityLimitHandler, SetVelocityLimitHandler } from './commands/velocity-limit.command';

@Module({
  controllers: [ControlsController],
  providers: [SetVelocityLimitHandler, LiftVelocityLimitHandler],
})
export class ControlsModule {}
