import { BuiltPages } from '../../web/http/built-pages';

const built = BuiltPages.read();

/** Compressed bytes. Checkout's script has its wallets in it; no style has its font. */
it.each([
  ['checkout.js', 4_000],
  ['checkout.css', 6_000],
  ['console.js', 6_000],
  ['console.css', 8_000],
])('%s is no heavier than %i bytes', (name, most) => {
  const bytes = built.asset(built.assetName(name))?.bytes.br.length ?? 0;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(most);
});

const OF_LOOK = new RegExp(
  [
    'matchMedia|(?:inner|outer|client|offset|scroll)(?:Width|Height)|ClientRect|ComputedStyle|visualViewport',
    '\\bscreen\\b|orientation|(?:Resize|Intersection)Observer|\\bresize\\b',
  ].join('|'),
);

/** The searches for readable pages load a page once, and turn its theme and its screen: markup must not follow them. */
it.each(['checkout.js', 'console.js', 'docs.js'])('%s asks for neither theme nor screen', name => {
  const script = built.asset(built.assetName(name))?.bytes.identity.toString() ?? '';
  expect(script.length).toBeGreaterThan(0);
  expect(script).not.toMatch(OF_LOOK);
});
