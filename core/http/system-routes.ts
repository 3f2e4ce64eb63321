import { createHash, timingSafeEqual } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from '@sinclair/typebox'
import { basePathOf } from '../config.ts'
import { fail } from '../errors.ts'
import type { AnyPlugin } from '../plugin.ts'
import { VERSION } from '../version.ts'
import { type Download, fileDownload, textDownload } from './download.ts'
import type { MountedRoute } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { fewASecond, type ReadinessParts, readiness } from './readiness.ts'
import { ok, type Route } from './route.ts'

export interface SystemParts extends ReadinessParts {
  readonly routes: () => readonly MountedRoute[]
  readonly plugins: readonly AnyPlugin[]
}

/** Serves operators and tools without a key: liveness, readiness, metrics and the API reference. */
export function systemRoutes(parts: SystemParts): Route[] {
  return [...operatorRoutes(parts), openApi(parts), ...docsRoutes()]
}

/** Serves operators of any process: liveness, readiness and metrics. */
export function operatorRoutes(parts: ReadinessParts): Route[] {
  return [health(), readiness(parts), metrics(parts)]
}

function health(): Route {
  return {
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    access: 'public',
    tag: 'System',
    summary: 'Liveness: the process responds',
    description: 'Touches nothing else, so a restart is only ever triggered by a hung process.',
    ignoresUnknownQuery: true,
    probe: true,
    responses: {
      200: Type.Object({
        status: Type.Literal('ok', { description: 'The process responds.' }),
        version: Type.String({ description: 'The version of Mneme.' }),
      }),
    },
    examples: { response: { status: 'ok', version: VERSION } },
    handle: () => ok({ status: 'ok', version: VERSION }),
  }
}

function metrics({ services }: ReadinessParts): Route {
  const { registry } = services.metrics
  const text = fewASecond(() => registry.metrics())
  return {
    method: 'GET',
    path: '/metrics',
    operationId: 'getMetrics',
    access: 'public',
    tag: 'System',
    summary: 'Metrics for Prometheus',
    description: 'With `METRICS_TOKEN` set, requires `Authorization: Bearer <token>`.',
    ignoresUnknownQuery: true,
    contentType: 'text/plain',
    responses: { 200: null },
    errors: ['UNAUTHORIZED'],
    async handle({ request }) {
      const token = services.config.METRICS_TOKEN
      if (token && !sameSecret(request.headers.get('authorization') ?? '', `Bearer ${token}`)) {
        throw fail('UNAUTHORIZED', { message: 'Send the metrics token as a bearer token.' })
      }
      return new Response(await text(), { headers: { 'content-type': registry.contentType } })
    },
  }
}

const description = Type.Object(
  {
    openapi: Type.String({ description: 'The version of OpenAPI.' }),
    info: Type.Object({}, { description: 'Name, version and licence.', additionalProperties: true }),
    paths: Type.Object({}, { description: 'Every operation, by path and method.', additionalProperties: true }),
  },
  { additionalProperties: true },
)

function openApi({ routes, plugins, services }: SystemParts): Route {
  let document: Download | undefined
  return {
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    access: 'public',
    tag: 'System',
    summary: 'This API as an OpenAPI 3.1 document',
    contentType: 'application/json',
    download: true,
    responses: { 200: description },
    examples: { response: { openapi: '3.1.0', info: { title: 'Mneme', version: VERSION }, paths: {} } },
    handle() {
      const basePath = basePathOf(services.config)
      document ??= textDownload(
        JSON.stringify(openApiDocument(routes(), plugins, VERSION, basePath)),
        'application/json',
      )
      return document
    },
  }
}

/** Both are hashed first, so that neither content nor length shows in the time it takes. */
function sameSecret(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(a), digest(b))
}

const ASSETS: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js'])

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mneme API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = fileURLToPath(new URL('./docs-start.js', import.meta.url))

const SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/** Serves the reference page and its files from the installed package, so that it works without the Internet. */
function docsRoutes(): Route[] {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const shared = { method: 'GET', access: 'public', tag: 'System', responses: { 200: null } } as const
  return [
    {
      ...shared,
      path: '/docs',
      operationId: 'getDocs',
      contentType: 'text/html',
      summary: 'API reference page',
      handle: () =>
        new Response(PAGE, {
          headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': SECURITY_POLICY },
        }),
    },
    {
      ...shared,
      path: '/docs/:file',
      operationId: 'getDocsFile',
      params: Type.Object({ file: Type.String({ description: 'Name of the file.' }) }),
      summary: 'Files of the API reference page',
      download: true,
      contentType: ['text/css', 'text/javascript'],
      errors: ['NOT_FOUND'],
      async handle({ params }) {
        const { file } = params as { file: string }
        if (file === 'start.js') return fileDownload(START, { disposition: 'inline' })
        if (!ASSETS.has(file)) throw fail('NOT_FOUND')
        return fileDownload(join(folder, file), { disposition: 'inline', cacheControl: 'public, max-age=3600' })
      },
    },
  ]
}
