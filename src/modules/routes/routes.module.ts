import { Module } from '@nestjs/common';
import { RoutesController } from './api/routes.controller';
import { SetRoutesHandler } from './set-routes.command';

@Module({ controllers: [RoutesController], providers: [SetRoutesHandler] })
export class RoutesModule {}
