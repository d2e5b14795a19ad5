import 'reflect-metadata';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { PORTS } from '../src/kernel/ports/injection';
import { SystemClock } from '../src/platform/clock/system-clock';
import { SystemEntropy } from '../src/platform/clock/system-entropy';
import { KeyAuthentication, MfaVerification } from '../src/platform/http/authentication';
import { createHttpApp } from '../src/platform/http/http-app';
import { createLogger } from '../src/platform/logging/logger';

class NoopDto {
  @IsString()
  amount!: string;

  @IsString()
  currency!: string;
}

@Controller('noop')
class NoopController {
  @Post()
  noop(@Body() body: NoopDto) {
    return { amount: body.amount };
  }
}

const nobody = (): Promise<never> => Promise.reject(new Error('no route here asks'));

@Module({
  controllers: [NoopController],
  providers: [
    { provide: PORTS.clock, useClass: SystemClock },
    { provide: PORTS.entropy, useValue: new SystemEntropy() },
    { provide: KeyAuthentication, useValue: { authenticate: nobody } },
    { provide: MfaVerification, useValue: { verify: nobody } },
  ],
})
class NoopModule {}

/**
 * The service's own HTTP stack around a route that does nothing: what a request costs before anything is done for it.
 */
async function main(): Promise<void> {
  const url = `http://127.0.0.1:${process.env.PORT}`;
  const config = { publicUrl: url, docsUrl: url, dashboardUrl: url, modes: ['test'] as const };
  const app = await createHttpApp(NoopModule, { config, log: createLogger({ level: 'info' }) });
  await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
}

void main();
