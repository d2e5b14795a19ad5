import { isRefusal } from '../../../src/vocabulary/errors';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { NETWORK_IDS, type NetworkId } from '../../../src/vocabulary/networks';
import { canonicalAddress } from '../../../src/modules/wallets/address';

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_HEX = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';

function isRefused(network: NetworkId, text: string): boolean {
  try {
    canonicalAddress(network, text);
    return false;
  } catch (error) {
    if (isRefusal(error, 'invalid_address') && error.param === 'address') return true;
    throw error;
  }
}

describe.each(['bnb', 'base'] as const)('an address on %s', network => {
  it.each([EVM, EVM.toLowerCase(), `0x${EVM.slice(2).toUpperCase()}`])('stores %s in its checksummed form', text => {
    expect(canonicalAddress(network, text)).toBe(EVM);
  });

  it.each([
    '',
    EVM.slice(2),
    EVM.slice(0, -1),
    `${EVM}0`,
    ` ${EVM}`,
    `${EVM}\n`,
    EVM.replace('0x', '0X'),
    EVM.replace('5aA', '5AA'),
    EVM.replace('Aed', 'Aeg'),
    'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
    `0x${'0'.repeat(40)}`,
    TRON,
    `0x${TRON_HEX.slice(2)}00`,
  ])('refuses %j', text => {
    expect(isRefused(network, text)).toBe(true);
  });
});

describe('an address on tron', () => {
  it.each([TRON, TRON_HEX, `41${TRON_HEX.slice(2).toUpperCase()}`])('stores %s in base58', text => {
    expect(canonicalAddress('tron', text)).toBe(TRON);
  });

  it.each([
    '',
    TRON.slice(0, -1),
    `${TRON}1`,
    ` ${TRON}`,
    TRON.toLowerCase(),
    TRON.replace('NHq', 'NHr'),
    TRON.replace('NHq', 'NhQ'),
    TRON.replace('TR7', 'TR0'),
    `0x${TRON_HEX}`,
    `0x${TRON_HEX.slice(2)}`,
    TRON_HEX.slice(2),
    `42${TRON_HEX.slice(2)}`,
    `41${'0'.repeat(40)}`,
    'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    EVM,
  ])('refuses %j', text => {
    expect(isRefused('tron', text)).toBe(true);
  });
});

it.each(NETWORK_IDS)('knows the token contracts of %s as they are written', network => {
  const contracts = Object.values(TOKENS).filter(token => token.network === network);
  for (const { contract } of contracts) {
    expect(canonicalAddress(network, contract.live)).toBe(contract.live);
    expect(canonicalAddress(network, contract.test)).toBe(contract.test);
  }
});
