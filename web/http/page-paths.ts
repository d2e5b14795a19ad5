/** The page's path of a form's: a form is sent to its page's own address, or below it. */
export class PagePaths {
  private readonly pages: ReadonlySet<string>;

  /** `pages` are routes as OpenAPI writes them, such as `/dashboard/{mode}/payments/{id}`; `place` has them all. */
  constructor(
    pages: readonly string[],
    private readonly place: string,
  ) {
    this.pages = new Set(pages.map(page => page.replaceAll(/\{(\w+)\}/g, ':$1')));
  }

  /** The nearest page above a path, by the path's route; the place itself where there is none. */
  pageOf(route: string, path: string): string {
    const [parts, given] = [route.split('/'), path.split('/')];
    for (let count = parts.length; count > 1; count--)
      if (this.pages.has(parts.slice(0, count).join('/'))) return given.slice(0, count).join('/');
    return this.place;
  }

  serves(route: string): boolean {
    return this.pages.has(route);
  }
}
