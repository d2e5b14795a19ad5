/**
 * The turns of messages that come for the first time and of messages that come again after a pause. Where both wait
 * they alternate. A thousand messages whose provider stays away must not keep the others out.
 */
export class Turns {
  private wasAgain = true;

  /** The kind of the next message; null where none waits. */
  next(hasNew: boolean, hasAgain: boolean): 'new' | 'again' | null {
    if (!hasNew && !hasAgain) return null;
    this.wasAgain = hasAgain && !(hasNew && this.wasAgain);
    return this.wasAgain ? 'again' : 'new';
  }
}
