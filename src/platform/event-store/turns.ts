/**
 * Whose turn it is, of messages that come for the first time and of those that come again after a pause. Where both
 * wait they alternate: a thousand that find their provider away, again and again, must not keep the others out.
 */
export class Turns {
  private wasAgain = true;

  /** Who is to be taken now; null where nobody waits. */
  next(hasNew: boolean, hasAgain: boolean): 'new' | 'again' | null {
    if (!hasNew && !hasAgain) return null;
    this.wasAgain = hasAgain && !(hasNew && this.wasAgain);
    return this.wasAgain ? 'again' : 'new';
  }
}
