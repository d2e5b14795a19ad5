import { canonicalBody } from '../../../src/platform/idempotency/canonical-body';

const canonical = (text: string): string => canonicalBody(Buffer.from(text));

it.each([
  ['', '{}'],
  [' { } ', '{}'],
  ['{"b":1,"a":{"d":[1, 2],"c":null}}', '{"a":{"c":null,"d":[1,2]},"b":1}'],
  ['{"a":"\\u00e9\\/"}', '{"a":"é/"}'],
  ['{"a":true,"A":false}', '{"A":false,"a":true}'],
])('writes %j as %j', (text, expected) => {
  expect(canonical(text)).toBe(expected);
});

it('keeps each number as it is written, whatever its size', () => {
  const numbers = '{"a":9007199254740993,"b":1.0,"c":1,"d":1e3,"e":"1","f":-0}';
  expect(canonical(numbers)).toBe(numbers);
  expect(canonical('{"a":9007199254740992}')).not.toBe(canonical('{"a":9007199254740993}'));
});

it('keeps the order of a list, which has a meaning', () => {
  expect(canonical('{"a":[1,2]}')).not.toBe(canonical('{"a":[2,1]}'));
});
