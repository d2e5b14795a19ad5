export { constructEvent, SignatureVerificationError } from './construct-event';
export {
  ApiError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  PaymentError,
  QuittanceError,
  RefusedError,
  UnexpectedAnswerError,
  type Code,
  type Refusal,
} from './errors';
export { API_VERSION } from './generated/api-version';
export type { ErrorCode } from './generated/error-code';
export * from './generated/resources';
export { List, type ListPage } from './list';
export { Rows } from './rows';
export { Quittance, type QuittanceOptions } from './quittance';
export { signTestEvent } from './sign-test-event';
export type { RequestOptions } from './request-options';
export type { HttpAnswer } from './answer';
export type { Fetch, HttpRequest } from './transport';
export { CLIENT_VERSION } from './version';
