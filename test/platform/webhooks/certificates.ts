import { generateKeyPairSync, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const OCTETS = 0x04;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const ECDSA_SHA256 = der(SEQUENCE, hex('06082a8648ce3d040302'));

function time(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function distinguishedName(name: string): Buffer {
  return der(SEQUENCE, der(0x31, der(SEQUENCE, hex('0603550403'), der(0x0c, Buffer.from(name)))));
}

/** A certificate for one host name that signs itself, valid from 2020 to 2049, with a key that is made for this run. */
export function selfSigned(host: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hostName = der(SEQUENCE, der(0x82, Buffer.from(host)));
  const extension = der(SEQUENCE, hex('0603551d11'), der(OCTETS, hostName));
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, hex('01')),
    ECDSA_SHA256,
    distinguishedName(host),
    der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
    distinguishedName(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', body, privateKey));
  const certificate = der(SEQUENCE, body, ECDSA_SHA256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
