import { SchemaComponents } from '../../../src/platform/http/openapi-components';
import {
  arrayOf,
  constant,
  either,
  listOf,
  nullable,
  oneOfTexts,
  resource,
  text,
  whole,
  type Answer,
} from '../../../src/platform/http/openapi-schema';

const SHOP = resource('shop', 'A shop', {
  object: constant('shop'),
  name: nullable(text('Shown to customers')),
  colors: arrayOf(oneOfTexts(['red', 'green'])),
});
const SHOPS = listOf(SHOP);
const EITHER = either(SHOP, resource('stall', 'A stall', { rank: whole('From 0', 3) }));

const shop: Answer<typeof SHOP> = { object: 'shop', name: null, colors: ['red'] };
const shops: Answer<typeof SHOPS> = { object: 'list', url: '/v1/shops', has_more: false, data: [shop] };
const stall: Answer<typeof EITHER> = { rank: 1 };

// Each line is refused by the compiler: `npm run typecheck` fails where one is not.
export const REFUSED: readonly unknown[] = [
  // @ts-expect-error Blue is none of the texts.
  { ...shop, colors: ['blue'] } satisfies Answer<typeof SHOP>,
  // @ts-expect-error The name may be null, and is always there.
  { object: 'shop', colors: [] } satisfies Answer<typeof SHOP>,
  // @ts-expect-error No other field is shown.
  { ...shop, secret: 'sk' } satisfies Answer<typeof SHOP>,
  // @ts-expect-error A list holds what it is a list of.
  { ...shops, data: [stall] } satisfies Answer<typeof SHOPS>,
];

it('describes in the document what its type lets through', () => {
  const components = new SchemaComponents();
  expect(components.refer(SHOPS)).toEqual({ $ref: '#/components/schemas/shop_list' });
  expect(components.refer(EITHER)).toEqual({
    oneOf: [{ $ref: '#/components/schemas/shop' }, { $ref: '#/components/schemas/stall' }],
  });
  expect(components.schemas.shop).toEqual({
    description: 'A shop',
    type: 'object',
    properties: {
      object: { type: 'string', const: 'shop' },
      name: { oneOf: [{ type: 'string', description: 'Shown to customers' }, { type: 'null' }] },
      colors: { type: 'array', items: { type: 'string', enum: ['red', 'green'] } },
    },
    required: ['object', 'name', 'colors'],
    additionalProperties: false,
  });
});
