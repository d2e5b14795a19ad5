import { logoTypeOf } from '../../../src/modules/checkout/logo-type';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

it.each([
  ['image/png', '\x89PNG\r\n\x1a\n....'],
  ['image/jpeg', '\xff\xd8\xff\xe0..JFIF'],
  ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
  [null, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [null, '<html><script>alert(1)</script>'],
  [null, 'GIF89a..........'],
  [null, 'RIFF\x24\0\0\0WAVEfmt '],
  [null, '\x89PNG'],
  [null, ''],
])('tells %s by content', (type, content) => {
  expect(logoTypeOf(bytes(content))).toBe(type);
});
