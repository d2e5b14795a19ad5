import { isRefusal } from '../../../src/vocabulary/errors';
import { transactionReference } from '../../../src/modules/transfers/transaction-reference';
import type { NetworkId } from '../../../src/vocabulary/networks';

const HEX = 'ab12'.repeat(16);
const EVM = `0x${HEX}`;

function mistake(network: NetworkId, text: string): string {
  try {
    return JSON.stringify(transactionReference(network, text));
  } catch (error) {
    if (isRefusal(error, 'invalid_tx_hash')) return error.message;
    throw error;
  }
}

describe('a transaction that somebody names', () => {
  it('is a hash, in the case that hashes are kept in', () => {
    expect(transactionReference('base', EVM)).toStrictEqual({ kind: 'transaction', txHash: EVM });
    expect(transactionReference('bnb', `0x${HEX.toUpperCase()}`)).toStrictEqual({ kind: 'transaction', txHash: EVM });
    expect(transactionReference('tron', HEX.toUpperCase())).toStrictEqual({ kind: 'transaction', txHash: HEX });
    expect(transactionReference('tron', '1'.repeat(64))).toMatchObject({ kind: 'transaction' });
  });

  it.each([
    ['123456789012', '123456789012'],
    ['Internal transfer 123456789012', '123456789012'],
    ['Off-chain Transfer: 987654', '987654'],
    ['6b1f0d3e-2c4a-4e5b-8f7a-0123456789ab', '6b1f0d3e-2c4a-4e5b-8f7a-0123456789ab'],
    ['QGBJGDO-ZUFHR-RXA4CA', 'qgbjgdo-zufhr-rxa4ca'],
    ['65a1b2c3d4e5f60718293a4b', '65a1b2c3d4e5f60718293a4b'],
    ['C6657983457', 'c6657983457'],
    ['Binance internal transfer 123456', '123456'],
    ['binance internal 12345', '12345'],
  ])('is a number of an exchange: %s', (text, id) => {
    expect(transactionReference('base', text)).toStrictEqual({ kind: 'exchange_transfer', id });
    expect(transactionReference('tron', text)).toStrictEqual({ kind: 'exchange_transfer', id });
  });

  it.each<[NetworkId, string, string]>([
    ['base', HEX, 'starts with 0x'],
    ['bnb', HEX, 'of TRON'],
    ['tron', EVM, 'has no 0x'],
    ['base', `0X${HEX}`, 'lower case'],
    ['base', EVM.slice(0, -1), 'has 63, which is too few'],
    ['base', `${EVM}0`, 'has 65, which is too many'],
    ['tron', HEX.slice(1), 'has 63, which is too few'],
    ['tron', `${HEX}0`, 'has 65, which is too many'],
    ['base', `https://basescan.org/tx/${EVM}`, 'web page'],
    ['tron', `www.tronscan.org/#/transaction/${HEX}`, 'web page'],
    ['base', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'an address'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'an address'],
    ['tron', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'an address'],
    ['base', ` ${EVM}`, 'without spaces'],
    ['base', `${EVM}\n`, 'without spaces'],
    ['base', `${EVM.slice(0, 30)} ${EVM.slice(30)}`, 'without spaces'],
    ['base', `${EVM}\u200b`, 'without spaces'],
    ['base', `"${EVM}"`, 'quotation marks'],
    ['base', `‘${EVM}’`, 'quotation marks'],
    ['base', EVM.replace('b', 'g'), 'is 0x and 64 hex characters'],
    ['tron', 'paid', 'is 64 hex characters'],
    ['tron', 'confirmed-21', 'is 64 hex characters'],
    ['base', 'deadbeef1234', 'is 0x and 64 hex characters'],
    ['base', `0x${'1g'.repeat(16)}`, 'is 0x and 64 hex characters'],
    ['base', '0x', 'is 0x and 64 hex characters'],
    ['base', '0x1234', 'is 0x and 64 hex characters'],
    ['base', 'é'.repeat(66), 'is 0x and 64 hex characters'],
  ])('on %s is told what is wrong with %j', (network, text, told) => {
    expect(mistake(network, text)).toContain(told);
  });
});
