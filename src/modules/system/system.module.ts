import { Module, type DynamicModule } from '@nestjs/common';
import { GroupsController } from './api/groups.controller';
import { SystemController } from './api/system.controller';
import { RebuildReadModelHandler, ReplayParkedMessagesHandler } from './maintenance.command';
import { ReadModelRebuilds } from './read-model-rebuilds';
import { SystemReads } from './system-reads';

@Module({})
export class SystemModule {
  static with(reads: SystemReads, rebuilds: ReadModelRebuilds): DynamicModule {
    return {
      module: SystemModule,
      controllers: [SystemController, GroupsController],
      providers: [
        ReplayParkedMessagesHandler,
        RebuildReadModelHandler,
        { provide: SystemReads, useValue: reads },
        { provide: ReadModelRebuilds, useValue: rebuilds },
      ],
      exports: [SystemReads],
    };
  }
}
