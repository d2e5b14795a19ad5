import { Turns } from '../../../src/platform/event-store/turns';

describe('turns', () => {
  it.each([
    ['alternate where both wait, those that are new first', true, true, ['new', 'again', 'new', 'again']],
    ['go to those that are new where nobody else waits', true, false, ['new', 'new', 'new', 'new']],
    ['go to those that come again where nobody else waits', false, true, ['again', 'again', 'again', 'again']],
    ['go to nobody where nobody waits', false, false, [null, null, null, null]],
  ])('%s', (_, hasNew, hasAgain, expected) => {
    const turns = new Turns();
    expect(expected.map(() => turns.next(hasNew, hasAgain))).toStrictEqual(expected);
  });

  it('go to those that are new as soon as one comes, however long the others had them all', () => {
    const turns = new Turns();
    for (let tries = 0; tries < 3; tries++) turns.next(false, true);
    expect([turns.next(true, true), turns.next(true, true)]).toStrictEqual(['new', 'again']);
  });
});
