import type { Provider } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { AdminContract } from '../modules/administration/api/admin-document.controller';
import { AdminLists } from '../modules/administration/api/admin-lists.reader';
import { adminDocument } from '../platform/http/openapi';
import type { Core } from './core';
import { screeningSources } from './screening';

/** The reading parts of the administration. */
export function administrationProviders({ readModels, config }: Pick<Core, 'readModels' | 'config'>): Provider[] {
  return [
    { provide: AdminLists, useValue: new AdminLists({ readModels, screeningSources: screeningSources(config) }) },
    {
      provide: AdminContract,
      inject: [ModulesContainer],
      useFactory: (modules: ModulesContainer): AdminContract => {
        let made: object | null = null;
        return { document: () => (made ??= adminDocument(modules, config)) };
      },
    },
  ];
}
