const { default: TestRunner } = require('jest-runner');

/**
 * One worker for the levels that keep a processor busy. Two processors are often two threads of one core: two workers
 * then take a quarter more processor time for the same tests.
 */
module.exports = class OneWorkerRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: 1 }, context);
  }
};
