// Programs of both module systems get the same classes, so `instanceof` holds between them.
export * from './index.js';
