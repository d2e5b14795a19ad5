// Generated from the OpenAPI document by `npm run client:generate`; changed there, never here.

/** The version of the API whose shapes these types are. */
export const API_VERSION = '2026-11-15';
