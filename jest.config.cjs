const { createHash } = require('node:crypto');

// Workers take the flags of this process. Tests allocate many short-lived objects: more room for young objects, and one
// thread that clears it, save a fifth of the processor time. A worker comes back to code that it has not run for a
// while: keeping it compiled saves a twelfth of the rest.
process.execArgv.push('--max-semi-space-size=64', '--min-semi-space-size=64', '--single-threaded-gc');
process.execArgv.push('--no-flush-bytecode');
// Few functions run often enough to repay their optimization. A budget of 1,000,000, seven times the usual, saves
// another tenth. The full searches work longer, and bound single turns.
if (process.env.SEARCH !== 'full') process.execArgv.push('--interrupt-budget=1000000');

const swc = (parser, transform) => [
  '@swc/jest',
  {
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', keepClassNames: true, parser, transform },
  },
];

const COMMON = {
  // One cache for all levels: the same source is transformed once.
  id: createHash('sha256').update(__dirname).digest('hex'),
  rootDir: __dirname,
  // The packages are left out: nobody looks for their tens of thousands of files.
  roots: ['bench', 'clients', 'projections', 'src', 'test', 'web'].map(folder => `<rootDir>/${folder}`),
  runtime: '<rootDir>/test/levels/compile-once-runtime.cjs',
  testEnvironment: '<rootDir>/test/levels/worker-environment.cjs',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'json'],
  setupFiles: ['<rootDir>/test/support/fail-on-unhandled-rejection.ts'],
  transform: {
    '^.+\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    ),
    // Generic arrow functions do not parse as TSX, so templates have a rule of their own.
    '^.+\\.tsx$': swc({ syntax: 'typescript', tsx: true }, { react: { runtime: 'automatic', importSource: 'preact' } }),
    '^.+\\.m?js$': swc({ syntax: 'ecmascript' }),
  },
  // A module that is loaded by need is named as it is built; here it is loaded from its source.
  moduleNameMapper: {
    '^(\\.{1,2}/(?:\\.\\./)*(?:(?:sandbox|commands|platform/(?:rates|event-store|documents|outbound|webauthn))/[a-z/-]+|toolbox|(?:web/)?pdf/statement-pdf|invoice-pdf))\\.js$':
      '$1',
  },
  // The packages below ship ECMAScript modules only, which jest cannot require on node 20.
  transformIgnorePatterns: [
    '/node_modules/(?!(@otplib|@scure/base|@noble/hashes|preact|preact-render-to-string|intl-messageformat|@formatjs|marked)/)',
  ],
};

const built = { globalSetup: '<rootDir>/test/levels/build-when-stale.ts' };
/** Pages name the built scripts and styles, which take a quarter of a second. */
const pages = { globalSetup: '<rootDir>/test/levels/build-pages.ts' };

/** This level counts what each route reads, and leaves no route out. */
const counting = {
  globalSetup: '<rootDir>/test/levels/count-routes.ts',
  globalTeardown: '<rootDir>/test/levels/check-routes.ts',
};

/** The end of a file's name tells its level. */
const level = (name, color, folder = '', more = {}) => ({
  ...COMMON,
  displayName: { name, color },
  testMatch: [`<rootDir>/test/${folder}**/*.${name}.spec.ts`, `<rootDir>/test/${folder}**/*.${name}.spec.tsx`],
  ...more,
});

module.exports = {
  // A test that allocates much takes four to eight times its processor time in a worker of 1,500 MB and more.
  workerIdleMemoryLimit: '800MB',
  maxWorkers: 2,
  // Machines differ by a factor of three, and other work may run at the same time.
  testTimeout: 20_000,
  testSequencer: '<rootDir>/test/levels/searches-first.cjs',
  projects: [
    level('unit', 'green', '', { ...pages, testEnvironment: '<rootDir>/test/levels/unit-environment.cjs' }),
    level('int', 'cyan', '', counting),
    level('e2e', 'magenta', '', built),
    level('browser', 'blue', '', pages),
    // The searches in this folder work on the built service.
    level('search', 'yellow', 'e2e/', built),
    level('search', 'yellow', '', { ...pages, testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'] }),
  ],
};
