const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest come first: a search that starts last and takes minutes would keep one worker busy alone. */
const LONG = [/simulation\.search\.spec/, /\.search\.spec/, /\.e2e\.spec/];

function rank({ path }) {
  const place = LONG.findIndex(pattern => pattern.test(path));
  return place < 0 ? LONG.length : place;
}

module.exports = class SearchesFirst extends Sequencer {
  async sort(tests) {
    const usual = await super.sort(tests);
    return [...usual].sort((one, other) => rank(one) - rank(other));
  }
};
