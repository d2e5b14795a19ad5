const swc = (parser, transform) => [
  '@swc/jest',
  {
    sourceMaps: 'inline',
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', keepClassNames: true, parser, transform },
  },
];

module.exports = {
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'json'],
  testMatch: ['<rootDir>/test/**/*.spec.ts'],
  workerIdleMemoryLimit: '512MB',
  maxWorkers: 2,
  // Machines differ by a factor of three, and other work may run beside.
  testTimeout: 20_000,
  setupFiles: ['<rootDir>/test/support/fail-on-unhandled-rejection.ts'],
  transform: {
    '^.+\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    ),
    '^.+\\.js$': swc({ syntax: 'ecmascript' }),
  },
  // What is loaded by need is named as it is built; here it is loaded from its source.
  moduleNameMapper: { '^(\\.{1,2}/(?:\\.\\./)*sandbox/[a-z-]+)\\.js$': '$1' },
  // These packages ship ECMAScript modules only, which jest cannot require on node 20.
  transformIgnorePatterns: ['/node_modules/(?!(@otplib|@scure/base|@noble/hashes)/)'],
};
