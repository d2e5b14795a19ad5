/** Whether strangers may open accounts. The composition root provides it. */
export type SignUp = 'open' | 'closed';
export const SIGN_UP = Symbol('SignUp');
