import { assertJson, JSON_DEPTH_LIMIT } from '../../src/kernel/strict-json';

class Coin {}

function nested(levels: number): unknown {
  return levels === 0 ? 'bottom' : [nested(levels - 1)];
}

describe('assertJson', () => {
  it('takes what JSON holds', () => {
    const value = { text: '', list: [1, null, { deep: true }], bare: Object.create(null) as object };
    expect(() => assertJson(value, 'data')).not.toThrow();
    expect(() => assertJson(nested(JSON_DEPTH_LIMIT), 'data')).not.toThrow();
  });

  it.each([
    [{ a: { b: [1, undefined] } }, 'data.a.b[1] is not a JSON value: undefined'],
    [{ a: [{ b: 1n }] }, 'data.a[0].b is not a JSON value: bigint'],
    [{ a: NaN }, 'data.a is not a JSON value: NaN'],
    [new Array(1), 'data[0] is not a JSON value: undefined'],
    [{ a: new Coin() }, 'data.a is not a JSON value: an instance of Coin'],
    [() => undefined, 'data is not a JSON value: function'],
  ])('names the place of what JSON would lose: %#', (value, message) => {
    expect(() => assertJson(value, 'data')).toThrow(new TypeError(message));
  });

  it('names the place that is nested too deep', () => {
    const place = `data${'[0]'.repeat(JSON_DEPTH_LIMIT)}`;
    const message = `${place} is nested deeper than ${JSON_DEPTH_LIMIT} levels`;
    expect(() => assertJson(nested(JSON_DEPTH_LIMIT + 1), 'data')).toThrow(new TypeError(message));
  });
});
