import { checkedReason, REASON } from '../../src/vocabulary/reasons';

describe('a reason', () => {
  const longest = 'x'.repeat(REASON.max);

  it.each([
    [' The shop is back.\n', 'The shop is back.'],
    ['one\ntwo', 'one\ntwo'],
    [` ${longest} `, longest],
  ])('is kept without the white space around it: %j', (text, kept) => {
    expect(checkedReason(text)).toBe(kept);
    expect(checkedReason(text, 'note')).toBe(kept);
  });

  it.each(['', ' \n', `${longest}x`])('has something in it, and an end: %j', text => {
    const refusal = { code: 'invalid_reason', param: 'reason', message: 'A reason has 1 to 500 characters.' };
    expect(() => checkedReason(text)).toThrow(expect.objectContaining(refusal));
    const ofNote = { code: 'invalid_reason', param: 'note', message: 'A note has 1 to 500 characters.' };
    expect(() => checkedReason(text, 'note')).toThrow(expect.objectContaining(ofNote));
  });
});
