import type { RouteOptions } from 'fastify';

type Route = { readonly method: string; readonly segments: readonly string[] };

const MISSING_VALUES = ['', 'undefined'];

/** The router's routes, so that an unknown path can be told from a method that is not served there. */
export class RouteTable {
  private readonly routes: Route[] = [];

  add({ method, url }: Pick<RouteOptions, 'method' | 'url'>): void {
    for (const name of [method].flat()) this.routes.push({ method: name, segments: segmentsOf(url) });
  }

  /** Methods served at the path, sorted; empty for an unknown path. */
  methodsAt(path: string): readonly string[] {
    const served = this.matching(segmentsOf(path)).map(route => route.method);
    return [...new Set(served)].sort();
  }

  /** The name of a path parameter that is empty in the path, or the text `undefined`; null when none is missing. */
  missingParameter(path: string): string | null {
    const segments = segmentsOf(path);
    if (!segments.some(isMissing)) return null;
    for (const route of this.matching(segments)) {
      const index = route.segments.findIndex((part, at) => part.startsWith(':') && isMissing(segments[at] ?? ''));
      if (index >= 0) return (route.segments[index] as string).slice(1);
    }
    return null;
  }

  private matching(segments: readonly string[]): readonly Route[] {
    return this.routes.filter(
      route =>
        route.segments.length === segments.length &&
        route.segments.every((part, at) => part.startsWith(':') || part === segments[at]),
    );
  }
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').slice(1);
}

function isMissing(segment: string): boolean {
  return MISSING_VALUES.includes(segment);
}
