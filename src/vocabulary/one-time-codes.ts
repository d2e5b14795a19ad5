/** RFC 4226's shortest codes, which every authenticator app makes. */
export const ONE_TIME_CODE_DIGITS = 6;
export const ONE_TIME_CODE = /^\d{6}$/;
