/** The version of this package: a test holds it against the manifest. */
export const CLIENT_VERSION = '0.1.0';
