import { Module } from '@nestjs/common';
import { SandboxController } from './api/sandbox.controller';

@Module({ controllers: [SandboxController] })
export class SandboxModule {}
