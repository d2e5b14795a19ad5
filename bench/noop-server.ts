import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsString } from 'class-validator';

class NoopBody {
  @IsString()
  amount!: string;

  @IsString()
  currency!: string;
}

@Controller('noop')
class NoopController {
  @Post()
  @HttpCode(200)
  noop(@Body() body: NoopBody) {
    return { amount: body.amount };
  }
}

@Module({ controllers: [NoopController] })
class NoopModule {}

/** Bare Nest on Fastify with one validated body, and nothing of the service: the least that a POST costs there. */
async function main(): Promise<void> {
  const app = await NestFactory.create<NestFastifyApplication>(NoopModule, new FastifyAdapter(), { logger: false });
  app.useGlobalPipes(new ValidationPipe());
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

void main();
