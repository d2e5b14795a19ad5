import { Module } from '@nestjs/common';
import { SandboxController } from './api/sandbox.controller';
import { TestKeyGuard } from './api/test-key.guard';

@Module({ controllers: [SandboxController], providers: [TestKeyGuard] })
export class SandboxModule {}
