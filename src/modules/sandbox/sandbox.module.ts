import { Module } from '@nestjs/common';
import { SandboxController } from './api/sandbox.controller';
import { TestKeyGuard } from './api/test-key.guard';
import { GetSandboxClockHandler } from './queries/get-sandbox-clock.query';

@Module({ controllers: [SandboxController], providers: [GetSandboxClockHandler, TestKeyGuard] })
export class SandboxModule {}
