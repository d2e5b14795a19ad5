import { Controller, Get, Post } from '@nestjs/common';
import { NoPage, pagePathsOf } from '../../web/page-routes';

@Controller('shop')
class ShopController {
  @Get()
  show(): void {}

  @Get(':id/receipt')
  receipt(): void {}

  @Get(':id/events')
  @NoPage()
  events(): void {}

  @Get([':id/claims', ':id/method'])
  @NoPage()
  reload(): void {}

  @Get([':id/guide', ':id/terms'])
  read(): void {}

  @Post(':id/claims')
  claim(): void {}
}

@NoPage()
@Controller('assets')
class FilesController {
  @Get(':name')
  send(): void {}
}

test('every route that answers GET is a page, unless it says that it is none', () => {
  expect(pagePathsOf([ShopController, FilesController])).toStrictEqual([
    '/shop',
    '/shop/{id}/receipt',
    '/shop/{id}/guide',
    '/shop/{id}/terms',
  ]);
});
