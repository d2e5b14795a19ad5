// A promise that nobody awaits is a lost error: throwing from here ends the test run with a failure.
process.on('unhandledRejection', reason => {
  throw reason;
});
