/** The newest shape of what is sent; an endpoint keeps the one that was newest when it was created. */
export const API_VERSION = '2026-11-01';
