const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest come first: a search that starts last and takes minutes would keep one worker busy alone. */
// A browser's driver leaves a worker slower, so its tests come last.
const LAST = /\.browser\.(?:search\.)?spec/;
const LONG = [/simulation\.search\.spec/, /\.search\.spec/, /\.e2e\.spec/];

function rank({ path }) {
  if (LAST.test(path)) return LONG.length + 1;
  const place = LONG.findIndex(pattern => pattern.test(path));
  return place < 0 ? LONG.length : place;
}

module.exports = class SearchesFirst extends Sequencer {
  async sort(tests) {
    const usual = await super.sort(tests);
    return [...usual].sort((one, other) => rank(one) - rank(other));
  }
};
