export type Case = readonly [path: string, code: string];

/** Imports that layers may have. */
export const INWARD: readonly Case[] = [
  [
    'src/kernel/event.ts',
    "import { x } from './log-position'; import { y } from '../vocabulary/json'; import { createHash } from 'node:crypto';",
  ],
  [
    'src/modules/wallets/wallet.decider.ts',
    "import { refuse } from '../../vocabulary/errors'; import { getAddress } from 'ethers';",
  ],
  [
    'src/modules/wallets/wallet.decider.ts',
    "import { x } from './wallet.events'; import { y } from '../routes/route.events';",
  ],
  [
    'src/modules/wallets/commands/a.command.ts',
    "import { x } from '../wallet.decider'; import { Inject } from '@nestjs/common';",
  ],
  ['src/modules/routes/a.command.ts', "import { x } from './routes.decider'; import { Inject } from '@nestjs/common';"],
  [
    'src/modules/wallets/api/a.controller.ts',
    "import { x } from '../../../platform/http/caller'; import { y } from '../commands/a.command';",
  ],
  [
    'src/modules/wallets/api/a.contract.ts',
    "import { Text } from '../../../platform/http/fields/text-fields'; import { x } from '../address';",
  ],
  [
    'src/modules/wallets/wallets.module.ts',
    "import { x } from './api/a.controller'; import { Module } from '@nestjs/common';",
  ],
  ['src/processes/settlement/a.ts', "import { x } from '../../modules/wallets/wallet.decider';"],
  ['src/watchers/a.ts', "import { x } from '../processes/settlement/a';"],
  ['src/platform/http/a.ts', "import { x } from '../logging/logger'; import fastify from 'fastify';"],
  ['src/platform/event-store/a.ts', "import { x } from '../../kernel/ports/event-store'; import 'mongodb';"],
  ['projections/a.projection.ts', "import { x } from '../src/modules/wallets/wallets.read-model';"],
  ['projections/runner/a.ts', "import { x } from '../../src/kernel/projection';"],
  ['src/composition/app.module.ts', "import { x } from '../platform/http/http-app'; import 'fastify';"],
  ['src/main.ts', "import { x } from './composition/service'; import 'reflect-metadata';"],
  ['src/cli/main.ts', "import { x } from '../modules/wallets/wallet.decider'; import 'commander';"],
  ['test/anything.spec.ts', "import { x } from '../src/modules/wallets/wallet.decider'; import 'mongodb';"],
];

/** Imports that layers must not have, each with a part of its message. */
export const OUTWARD: readonly (readonly [...Case, part: string])[] = [
  ['src/kernel/event.ts', "import { x } from '../modules/wallets/wallet.events';", 'kernel must not import'],
  ['src/vocabulary/ids.ts', "import { x } from '../kernel/event';", 'vocabulary must not import'],
  [
    'src/kernel/event.ts',
    "import { Injectable } from '@nestjs/common';",
    'kernel must not use the package @nestjs/common',
  ],
  ['src/kernel/event.ts', "import { request } from 'node:http';", 'node:http'],
  ['src/kernel/event.ts', "import { createHash } from 'crypto';", 'crypto'],
  ['src/kernel/event.ts', "import { createHash, randomBytes } from 'node:crypto';", 'node:crypto'],
  ['src/kernel/event.ts', "import * as crypto from 'node:crypto';", 'node:crypto'],
  ['src/kernel/event.ts', "import 'node:crypto';", 'node:crypto'],
  ['src/modules/wallets/address.ts', "import { JsonRpcProvider } from 'ethers';", 'ethers'],
  ['src/modules/wallets/address.ts', "import { connect } from 'node:net';", 'node:net'],
  ['src/modules/wallets/wallet.decider.ts', "import type { Observable } from 'rxjs';", 'rxjs'],
  ['src/modules/wallets/wallet.decider.ts', "import { MongoClient } from 'mongodb';", 'mongodb'],
  ['src/modules/wallets/wallet.decider.ts', "import { x } from './commands/a.command';", 'which is commands'],
  ['src/modules/routes/routes.decider.ts', "import { x } from './a.command';", 'which is commands'],
  [
    'src/modules/wallets/wallet.decider.ts',
    "import { x } from '../../platform/clock/system-clock';",
    'which is platform',
  ],
  [
    'src/modules/wallets/wallet.decider.ts',
    "import { x } from '../../../projections/a.projection';",
    'which is projections',
  ],
  [
    'src/modules/wallets/commands/a.command.ts',
    "import { x } from '../../../../projections/a.projection';",
    'which is projections',
  ],
  [
    'src/modules/wallets/api/a.reader.ts',
    "import { x } from '../../../../projections/a.projection';",
    'which is projections',
  ],
  [
    'src/modules/wallets/wallets.module.ts',
    "import { x } from '../../../projections/a.projection';",
    'which is projections',
  ],
  ['src/processes/settlement/a.ts', "import { x } from '../../../projections/a.projection';", 'which is projections'],
  ['src/watchers/a.ts', "import { x } from '../../projections/a.projection';", 'which is projections'],
  ['src/modules/wallets/api/a.reader.ts', "import type { X } from '../../../../projections/all';", 'which is runner'],
  [
    'src/modules/wallets/wallet.decider.ts',
    "import { x } from '../routes/routes.decider';",
    'decider src/modules/routes/routes.decider',
  ],
  [
    'src/modules/wallets/commands/a.command.ts',
    "import { x } from '../../routes/routes.decider';",
    'of another module',
  ],
  ['src/modules/wallets/api/a.controller.ts', "export * from '../../routes/routes.decider';", 'of another module'],
  ['src/modules/wallets/commands/a.command.ts', "import { x } from '../api/a.contract';", 'which is api'],
  ['src/modules/wallets/api/a.contract.ts', "import { IsString } from 'class-validator';", 'class-validator'],
  ['src/modules/wallets/wallet.decider.ts', "import { x } from './commands/a.command';", 'which is commands'],
  [
    'src/modules/wallets/api/a.controller.ts',
    "import { x } from '../../../platform/logging/logger';",
    'which is platform',
  ],
  ['src/modules/wallets/wallets.module.ts', "import { x } from '../../platform/logging/logger';", 'which is platform'],
  ['src/processes/settlement/a.ts', "import { x } from '../../platform/http/lists';", 'which is http'],
  ['src/processes/settlement/a.ts', "const x = await import('../../composition/app.module');", 'which is composition'],
  ['src/platform/http/a.ts', "import type { Core } from '../../composition/core';", 'which is composition'],
  ['src/composition/core.ts', "import { x } from '../cli/toolbox';", 'which is program'],
  ['src/composition/core.ts', "import { x } from '../main';", 'which is program'],
  ['src/main.ts', "import { x } from './another-root-file';", 'in no layer'],
  ['src/another-root-file.ts', "import { x } from './kernel/event';", 'this one in none'],
  ['src/platform/rates/a.ts', "import { x } from '../../modules/quotes/quote-rate';", 'which is domain'],
  ['src/platform/rates/a.ts', "import { x } from '../http/lists';", 'which is http'],
  ['projections/a.projection.ts', "export { x } from '../src/platform/http/lists';", 'which is http'],
  ['projections/a.projection.ts', "import { x } from './runner/read-models';", 'which is runner'],
  ['projections/a.projection.ts', "const x: import('../src/composition/app.module').X = 1;", 'which is composition'],
  ['src/kernel/event.ts', "import { x } from '../../test/support/x';", 'in no layer'],
  ['src/kernel/event.ts', "const x = require('../composition/core');", 'which is composition'],
];
