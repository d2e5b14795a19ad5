import 'reflect-metadata';
import type { JsonBody } from '../../../src/platform/http/body-json';
import { isRefusal } from '../../../src/vocabulary/errors';
import type { Schema } from '../../../src/platform/docs/api-document';
import { validateDto } from '../../../src/platform/http/dto-validation';
import { bodySchema } from '../../../src/platform/http/fields/body-schema';
import type { FieldDecorator } from '../../../src/platform/http/fields/field';
import { Part, Parts, TextList } from '../../../src/platform/http/fields/part-fields';
import { CurrencyCode, Id, OneOf, Text, Timestamp, Url } from '../../../src/platform/http/fields/text-fields';
import { Amount, Flag, Metadata, NotTaken, Whole } from '../../../src/platform/http/fields/value-fields';
import { contractCompiler } from '../../support/contract-compilers';

/** A value, and the refusal of it as `code param: message`, or null. */
type Row = readonly [value: unknown, refusal: string | null];

class Inner {
  @Text({ max: 3 })
  name!: string;

  @Whole({ min: 0, max: 9, presence: 'optional' })
  count?: number;
}

const COLORS = ['red', 'green'] as const;
/** One character, two UTF-16 units. */
const COIN = '🪙';
const AS_TEXT = 'must be a string of digits where it is above 9007199254740991';
const MISSING = 'parameter_missing field: Missing field: field.';
const invalid = (says: string) => `parameter_invalid field: field ${says}.`;

function judge(decorate: unknown, body: JsonBody): { readonly refusal: string | null; readonly kept: unknown } {
  class Body {
    field!: unknown;
  }
  (decorate as FieldDecorator<never>)(Body.prototype, 'field');
  try {
    return { refusal: null, kept: validateDto(Body, body).field };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { refusal: `${error.code} ${error.param}: ${error.message}`, kept: undefined };
  }
}

const TABLE: readonly (readonly [name: string, decorate: unknown, rows: readonly Row[]])[] = [
  [
    'a text',
    Text(),
    [
      ['', null],
      ['any', null],
      [5, invalid('must be a string')],
      [null, invalid('must be a string')],
      [['any'], invalid('must be a string')],
      [undefined, MISSING],
    ],
  ],
  [
    'a text that may be left out',
    Text({ presence: 'optional', code: 'invalid_webhook_url' }),
    [
      [undefined, null],
      [null, 'invalid_webhook_url field: field must be a string.'],
    ],
  ],
  [
    'a text that may be null',
    Text({ presence: 'nullable', max: 2 }),
    [
      [undefined, null],
      [null, null],
      ['abc', invalid('must have at most 2 characters')],
    ],
  ],
  [
    'a text with limits',
    Text({ min: 1, max: 2, isOneLine: true }),
    [
      ['', invalid('must not be empty')],
      [COIN.repeat(2), null],
      [COIN.repeat(3), invalid('must have at most 2 characters')],
      ['\n', invalid('must hold no control characters')],
    ],
  ],
  [
    'a text of several lines',
    Text({ isPlain: true }),
    [
      ['one\ntwo\r\nthree', null],
      ['\t', invalid('must hold no control characters but line breaks')],
      ['\u0000', invalid('must hold no control characters but line breaks')],
    ],
  ],
  [
    'a text of several lines with something in it',
    Text({ isWritten: true, isPlain: true }),
    [
      ['\n one\r\n two ', null],
      [`\u3000${COIN}\u2028`, null],
      [' \n\r ', invalid('must hold more than white space')],
      ['a\tb', invalid('must hold no control characters but line breaks')],
      ['\n\u0085a', invalid('must hold no control characters but line breaks')],
    ],
  ],
  [
    'a text of one line',
    Text({ isWritten: true, isOneLine: true }),
    [
      ['two words', null],
      [`\u3000${COIN}\u2028`, null],
      [' ', invalid('must hold more than white space')],
      ['\u3000', invalid('must hold more than white space')],
      ['a\tb', invalid('must hold no control characters')],
      ['a\n', invalid('must hold no control characters')],
      ['\u0000', invalid('must hold no control characters')],
      ['a\u007f', invalid('must hold no control characters')],
      ['\u0085a', invalid('must hold no control characters')],
    ],
  ],
  [
    'a text with something in it',
    Text({ isWritten: true, max: 3, code: 'invalid_resolution', tooLong: 'parameter_invalid' }),
    [
      ['x', null],
      [' ', 'invalid_resolution field: field must hold more than white space.'],
      ['    ', 'invalid_resolution field: field must hold more than white space.'],
      ['xxxx', invalid('must have at most 3 characters')],
      [5, 'invalid_resolution field: field must be a string.'],
    ],
  ],
  [
    'one of some texts',
    OneOf(COLORS),
    [
      ['red', null],
      ['Red', invalid('must be one of the following values: red, green')],
      [null, invalid('must be one of the following values: red, green')],
      [['red'], invalid('must be one of the following values: red, green')],
    ],
  ],
  [
    'an id',
    Id('wal'),
    [
      ['wal_1', null],
      ['', null],
      [5, invalid('must be a string')],
    ],
  ],
  ['an id that is not empty', Id('wal', { isFilled: true }), [['', invalid('must not be empty')]]],
  [
    'a currency',
    CurrencyCode(),
    [
      ['EUR', null],
      ['XXX', null],
      ['eur', 'invalid_currency field: field must be three uppercase letters, such as EUR.'],
      ['EURO', 'invalid_currency field: field must be three uppercase letters, such as EUR.'],
      [978, 'invalid_currency field: field must be three uppercase letters, such as EUR.'],
    ],
  ],
  [
    'an address',
    Url({ maxLength: 5, code: 'invalid_webhook_url' }),
    [
      ['https://shop.example/', null],
      [{}, 'invalid_webhook_url field: field must be a string.'],
    ],
  ],
  [
    'a moment',
    Timestamp({ code: 'invalid_timestamp' }),
    [
      ['2026-11-21T12:00:00.000Z', null],
      [1_795_262_400, 'invalid_timestamp field: field must be a string.'],
    ],
  ],
  [
    'an amount',
    Amount('Minor units', '2500'),
    [
      ['2500', null],
      [2500, null],
      ['0', 'amount_too_small field: field must be at least 1 minor unit.'],
      ['000', 'amount_too_small field: field must be at least 1 minor unit.'],
      [0, 'amount_too_small field: field must be at least 1 minor unit.'],
      [-5, 'amount_too_small field: field must be at least 1 minor unit.'],
      ['9'.repeat(31), 'amount_too_large field: field must have at most 30 digits.'],
      [Infinity, `parameter_invalid_integer field: field ${AS_TEXT}.`],
      [NaN, 'invalid_amount field: field must be whole minor units, as an integer or a string of digits.'],
      ['25.00', 'invalid_amount field: field must be whole minor units, as an integer or a string of digits.'],
      [null, 'invalid_amount field: field must be whole minor units, as an integer or a string of digits.'],
    ],
  ],
  [
    'a whole number',
    Whole({ min: 1, max: 9 }),
    [
      [1, null],
      [9, null],
      [0, 'parameter_invalid_integer field: field must be an integer from 1 to 9.'],
      [10, 'parameter_invalid_integer field: field must be an integer from 1 to 9.'],
      [1.5, 'parameter_invalid_integer field: field must be an integer from 1 to 9.'],
      ['1', 'parameter_invalid_integer field: field must be an integer from 1 to 9.'],
    ],
  ],
  [
    'a whole number whose code follows from the value',
    Whole({
      min: 0,
      max: 9,
      code: {
        among: ['invalid_bps', 'invalid_tolerance'],
        of: value => (Number.isInteger(value) ? 'invalid_tolerance' : 'invalid_bps'),
      },
    }),
    [
      [10, 'invalid_tolerance field: field must be an integer from 0 to 9.'],
      [0.5, 'invalid_bps field: field must be an integer from 0 to 9.'],
    ],
  ],
  [
    'a flag',
    Flag('Yes or no'),
    [
      [true, null],
      [false, null],
      ['true', invalid('must be true or false')],
      [1, invalid('must be true or false')],
    ],
  ],
  [
    'a flag that may be left out',
    Flag('Yes or no', { presence: 'optional', byDefault: true }),
    [
      [undefined, null],
      [false, null],
      [null, invalid('must be true or false')],
    ],
  ],
  [
    'metadata',
    Metadata(),
    [
      [{ order: '42' }, null],
      [null, null],
      [[], 'invalid_metadata_value field: field must be an object.'],
      ['order', 'invalid_metadata_value field: field must be an object.'],
    ],
  ],
  [
    'texts of a list',
    TextList({ values: COLORS, max: 2, code: 'invalid_scope' }),
    [
      [['red'], null],
      [['red', 'red'], null],
      ['red', 'invalid_scope field: field must be an array.'],
      [[], 'invalid_scope field: field must not be empty.'],
      [['red', 'green', 'red'], 'invalid_scope field: field must hold at most 2 items.'],
      [['blue'], 'invalid_scope field: field must hold only: red, green.'],
    ],
  ],
  [
    'texts that the command judges',
    TextList({ values: COLORS, max: 2, judgedLater: true }),
    [
      [['blue'], null],
      [[], null],
      [[5], invalid('must hold strings only')],
      [['a', 'b', 'c'], invalid('must hold at most 2 items')],
    ],
  ],
  [
    'a part',
    Part(Inner, { presence: 'optional' }),
    [
      [undefined, null],
      [{ name: 'abc', count: 1 }, null],
      [null, invalid('must be an object')],
      ['abc', invalid('must be an object')],
      [{}, 'parameter_missing field.name: Missing field: field.name.'],
      [{ name: 'abc', x: 1 }, 'parameter_invalid field.x: Unknown field: field.x.'],
    ],
  ],
  [
    'parts',
    Parts(Inner, { max: 1 }),
    [
      [[{ name: 'abc' }], null],
      [{}, invalid('must be an array')],
      [[], invalid('must not be empty')],
      [[{ name: 'a' }, { name: 'b' }], invalid('must hold at most 1 items')],
      [['abc'], invalid('must hold objects only')],
      [[{ name: 'long' }], 'parameter_invalid field[0].name: name must have at most 3 characters.'],
    ],
  ],
  [
    'what is not taken',
    NotTaken('invalid_currency_decimals', 'must be left out'),
    [
      [undefined, null],
      [2, 'invalid_currency_decimals field: field must be left out.'],
      [null, 'invalid_currency_decimals field: field must be left out.'],
    ],
  ],
];

/** Whether the document allows the body. */
function isAllowed(decorate: unknown, body: JsonBody): boolean {
  class JudgedDto {
    field!: unknown;
  }
  (decorate as FieldDecorator<never>)(JudgedDto.prototype, 'field');
  return contractCompiler('{}').validator(JSON.stringify(bodySchema(JudgedDto)))(body);
}

describe.each(TABLE.filter(([name]) => name.startsWith('a text')))('%s', (_, decorate, rows) => {
  it.each(rows)('is allowed by the document as by the rules: %j', (value, refusal) => {
    const body = (value === undefined ? {} : { field: value }) as JsonBody;
    expect(isAllowed(decorate, body)).toBe(refusal === null);
  });
});

describe.each(TABLE)('%s', (_, decorate, rows) => {
  it.each(rows)('judges %j', (value, refusal) => {
    const body = value === undefined ? {} : { field: value };
    expect(judge(decorate, body as JsonBody).refusal).toBe(refusal);
  });
});

it.each([
  [2500, '2500'],
  ['0042', '42'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
])('keeps the amount %s as %s', (written, kept) => {
  expect(judge(Amount('Minor units', '2500'), { field: written }).kept).toBe(kept);
});

/** Each property is refused by the compiler: `npm run typecheck` fails where one is not. */
export class Narrow {
  // @ts-expect-error A text that may be null has no room here.
  @Text({ presence: 'nullable' })
  nullable!: string;

  // @ts-expect-error A text that may be left out has no room here.
  @Text({ presence: 'optional' })
  optional!: string;

  // @ts-expect-error A whole number is no text.
  @Whole({ min: 0, max: 9 })
  whole!: string;

  // @ts-expect-error Green has no room here.
  @OneOf(COLORS)
  color!: 'red';
}

describe('the document', () => {
  class ShownDto {
    @Text({ max: 3, presence: 'nullable', description: 'A text', example: 'abc' })
    text?: string | null;

    @OneOf(COLORS, { presence: 'nullable' })
    color?: string | null;

    @Part(Inner, { presence: 'nullable' })
    inner?: Inner | null;

    @NotTaken('parameter_invalid', 'must be left out')
    hidden?: undefined;

    @Url({ maxLength: 9, presence: 'optional' })
    url?: string;

    @Flag('Yes or no', { presence: 'optional', byDefault: true })
    flag?: boolean;

    @Parts(Inner, { max: 2 })
    parts!: Inner[];
  }

  const INNER: Schema = {
    title: 'inner_request',
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 3 },
      count: { type: 'integer', minimum: 0, maximum: 9 },
    },
    required: ['name'],
    additionalProperties: false,
  };

  it('has what the rules have', () => {
    expect(bodySchema(ShownDto)).toEqual({
      title: 'shown_request',
      type: 'object',
      properties: {
        text: { type: ['string', 'null'], maxLength: 3, description: 'A text', examples: ['abc'] },
        color: { type: ['string', 'null'], enum: ['red', 'green', null] },
        inner: { oneOf: [{ allOf: [INNER] }, { type: 'null' }] },
        url: { type: 'string', maxLength: 9 },
        flag: { type: 'boolean', default: true, description: 'Yes or no' },
        parts: { type: 'array', items: INNER, minItems: 1, maxItems: 2 },
      },
      required: ['parts'],
      additionalProperties: false,
    });
  });
});
