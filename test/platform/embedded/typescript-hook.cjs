// Lets plain node run TypeScript in a child process, by the very options that jest uses.
const { transformFileSync } = require('@swc/core');
const [, options] = require('../../../jest.config.cjs').projects[0].transform['^.+\\.ts$'];

require.extensions['.ts'] = (module, path) => module._compile(transformFileSync(path, options).code, path);
