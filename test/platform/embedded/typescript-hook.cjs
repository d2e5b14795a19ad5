// Lets plain node run TypeScript in a child process, by the very options that jest uses.
const { transformFileSync } = require('@swc/core');
const { transform } = require('../../../jest.config.cjs').projects[0];

for (const ending of ['.ts', '.tsx']) {
  const [, options] = transform[`^.+\\${ending}$`];
  require.extensions[ending] = (module, path) => module._compile(transformFileSync(path, options).code, path);
}
