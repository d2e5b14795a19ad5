import { evmAddress } from '../../../src/platform/chains/evm/evm-address';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test.each([
  ['the EIP-55 form', ADDRESS],
  ['lower case', ADDRESS.toLowerCase()],
  ['upper case', `0x${ADDRESS.slice(2).toUpperCase()}`],
])('%s is taken and given back as EIP-55 writes it', (_form, text) => {
  expect(evmAddress(text)).toBe(ADDRESS);
});

test.each([
  ['one letter in the wrong case', ADDRESS.replace('aA', 'AA')],
  ['no 0x', ADDRESS.slice(2)],
  ['0X', ADDRESS.replace('0x', '0X')],
  ['39 digits', ADDRESS.slice(0, -1)],
  ['41 digits', `${ADDRESS}0`],
  ['a blank behind', `${ADDRESS} `],
  ['a line end behind', `${ADDRESS}\n`],
  ['a letter that is no digit', ADDRESS.replace('d', 'g')],
  ['an ICAP code', 'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36'],
  ['a name', 'vitalik.eth'],
  ['the zero address', `0x${'0'.repeat(40)}`],
  ['nothing', ''],
])('%s is no address', (_fault, text) => {
  expect(evmAddress(text)).toBeNull();
});
