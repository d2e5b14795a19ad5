import { SetMetadata, type Type } from '@nestjs/common';
import { routesOfController } from '../src/platform/http/openapi-routes';

const NO_PAGE = Symbol('no page');

/** A route that a page loads or listens to, and that is no page itself. */
export const NoPage = () => SetMetadata(NO_PAGE, true);

/** The paths of the pages that controllers serve, such as `/checkout/{id}`. */
export function pagePathsOf(controllers: readonly Type<object>[]): readonly string[] {
  return controllers.flatMap(controller => {
    const prototype = controller.prototype as Readonly<Record<string, object>>;
    const routes = routesOfController(controller).filter(({ method }) => method === 'get');
    const isPage = (name: string): boolean =>
      ![controller, prototype[name] as object].some(each => Reflect.getMetadata(NO_PAGE, each) === true);
    return routes.filter(({ name }) => isPage(name)).map(({ path }) => path);
  });
}
