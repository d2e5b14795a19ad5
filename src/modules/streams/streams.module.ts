import { Module, type DynamicModule } from '@nestjs/common';
import { StreamsController } from './api/streams.controller';
import { StreamReader } from './stream-reader';

@Module({})
export class StreamsModule {
  static with(reader: StreamReader): DynamicModule {
    return {
      module: StreamsModule,
      controllers: [StreamsController],
      providers: [{ provide: StreamReader, useValue: reader }],
      exports: [StreamReader],
    };
  }
}
