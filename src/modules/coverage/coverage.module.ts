import { Module } from '@nestjs/common';
import { CloseCoverageHoleHandler } from './close-coverage-hole.command';

@Module({ providers: [CloseCoverageHoleHandler] })
export class CoverageModule {}
