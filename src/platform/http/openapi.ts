import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '../../kernel/error-catalogue';

export const API_VERSION = '2026-11-01';

const METHODS = ['get', 'post', 'put', 'delete', 'patch'] as const;

/** Serves the contract at `/openapi.json`; the document is made at the first request for it. */
export function serveOpenApi(app: NestFastifyApplication, publicUrl: string): void {
  const settings = new DocumentBuilder()
    .setTitle('Quittance')
    .setDescription('Non-custodial crypto payments. The mode, test or live, follows from the key.')
    .setVersion(API_VERSION)
    .addServer(publicUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'API key' })
    .addSecurityRequirements('bearer')
    .build();
  SwaggerModule.setup('docs', app, () => completed(SwaggerModule.createDocument(app, settings)), {
    ui: false,
    raw: ['json'],
    jsonDocumentUrl: 'openapi.json',
  });
}

/** What holds for every operation and no controller should repeat: success is 200, failure is the error envelope. */
function completed(document: OpenAPIObject): OpenAPIObject {
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
    responses: { ...document.components?.responses, Error: ERROR_RESPONSE },
  };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (!operation) continue;
      const { responses } = operation;
      if (responses['201']) responses['200'] ??= responses['201'];
      delete responses['201'];
      responses.default = { $ref: '#/components/responses/Error' };
    }
  }
  return document;
}

const ERROR_SCHEMA = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['type', 'code', 'message', 'doc_url', 'request_log_url'],
      properties: {
        type: { type: 'string', enum: [...new Set(Object.values(ERROR_CATALOGUE).map(entry => entry.type))] },
        code: { type: 'string', description: 'New codes are added over time', enum: Object.keys(ERROR_CATALOGUE) },
        message: { type: 'string' },
        param: { type: 'string', description: 'The field at fault, when it is exactly one' },
        doc_url: { type: 'string', format: 'uri' },
        request_log_url: { type: 'string', format: 'uri' },
      },
    },
  },
};

const ERROR_RESPONSE = {
  description: 'The request failed; its status is that of the code',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
