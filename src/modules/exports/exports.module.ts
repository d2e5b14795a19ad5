import { Module } from '@nestjs/common';
import { ExportsController } from './api/exports.controller';
import { ExportsUnderWay } from './exports-under-way';

@Module({ controllers: [ExportsController], providers: [ExportsUnderWay] })
export class ExportsModule {}
