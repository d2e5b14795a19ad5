import { searchSize } from './search-size';

const sizes = { small: 3, full: 70 };
const sizeBy = (env: Readonly<Record<string, string>>) => searchSize('STORMS', sizes, env);

it('is small beside other tests, and full where that is asked for', () => {
  expect([sizeBy({}), sizeBy({ SEARCH: 'small' }), sizeBy({ SEARCH: 'full' })]).toStrictEqual([3, 3, 70]);
});

it('is what its own variable says', () => {
  expect([sizeBy({ STORMS: '20000' }), sizeBy({ STORMS: '1', SEARCH: 'full' })]).toStrictEqual([20_000, 1]);
});

it.each([
  [{ STORMS: '0' }, 'STORMS'],
  [{ STORMS: '' }, 'STORMS'],
  [{ STORMS: '1e3' }, 'STORMS'],
  [{ SEARCH: 'huge' }, 'SEARCH'],
])('refuses %j, which would try nothing or nobody knows how much', (env, variable) => {
  expect(() => sizeBy(env)).toThrow(`${variable} is`);
});
