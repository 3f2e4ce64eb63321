import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Type } from '@sinclair/typebox'
import { fail } from '../errors.ts'
import { fileDownload } from './download.ts'
import type { Route } from './route.ts'

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
export function docsRoutes(): Route[] {
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
