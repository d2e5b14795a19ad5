import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { AccessReader } from '../kernel/access-reader';
import { PORTS } from '../kernel/ports/injection';
import { WritePath } from '../kernel/write-path';
import type { Core } from './core';

/** The ports that every module may ask for. */
@Global()
@Module({})
export class PortsModule {
  static with(core: Core, more: readonly Provider[] = []): DynamicModule {
    const { clock, entropy, store, documents, readModels, secretBox, log, writes, access } = core;
    const ports = { clock, entropy, eventStore: store, documents, readModels, secretBox, log };
    const providers: Provider[] = [
      ...Object.entries(ports).map(([name, useValue]) => ({ provide: PORTS[name as keyof typeof ports], useValue })),
      { provide: WritePath, useValue: writes },
      { provide: AccessReader, useValue: access },
      ...more,
    ];
    return { module: PortsModule, providers, exports: providers };
  }
}
