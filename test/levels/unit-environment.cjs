const { forbidOutside } = require('./outside.cjs');
const WorkerEnvironment = require('./worker-environment.cjs');

/**
 * While a unit test runs, every function that leads out of the process throws. A worker also runs tests of other
 * levels.
 */
module.exports = class UnitEnvironment extends WorkerEnvironment {
  async setup() {
    await super.setup();
    forbidOutside(true);
  }

  async teardown() {
    forbidOutside(false);
    await super.teardown();
  }
};
