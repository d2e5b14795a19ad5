import { accentsOf, contrast } from '../../../src/modules/checkout/accent';

const LIGHT = ['#f5f4ef', '#ffffff', '#fbfaf7'];
const DARK = ['#0c1210', '#141c19', '#1a2420', '#05261a'];

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#0b6b4d', '#ffffff', 6.51],
  ['#767676', '#ffffff', 4.54],
])('%s on %s has the contrast %d', (one, other, expected) => {
  expect(contrast(one, other)).toBeCloseTo(expected, 1);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

it.each(['#0b6b4d', '#1f6feb', '#ff0000', '#ffff00', '#00ff00', '#000000', '#ffffff', '#808080', '#0000ff', '#FFD6E8'])(
  'makes of %s an accent that can be read in each theme',
  color => {
    const accents = accentsOf(color);
    for (const surface of LIGHT) expect(contrast(accents?.light ?? '', surface)).toBeGreaterThanOrEqual(4.5);
    for (const surface of DARK) expect(contrast(accents?.dark ?? '', surface)).toBeGreaterThanOrEqual(4.5);
  },
);

it('leaves a colour as it is in the theme where it can be read', () => {
  expect(accentsOf('#0b6b4d')?.light).toBe('#0b6b4d');
  expect(accentsOf('#56d3a5')?.dark).toBe('#56d3a5');
});

it.each([null, '', 'red', '#fff', '#12345g', '#1234567', 'x#123456', '#123456;}'])('makes nothing of %j', color => {
  expect(accentsOf(color)).toBeNull();
});
