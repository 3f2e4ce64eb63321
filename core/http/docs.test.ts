import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { service } from '../../test/support/service.ts'

interface Plugin {
  readonly statePlugins: {
    spec: { wrapActions: { updateJsonSpec: (update: (given: unknown) => unknown) => (given: unknown) => Document } }
  }
  readonly wrapComponents: {
    ParameterIncludeEmpty: (original: string, system: object) => (props: object) => { isIncludedOptions: unknown }
  }
}

interface Document {
  readonly paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Form }> } } }>
}

interface Form {
  readonly properties: Record<string, { examples?: unknown; default?: unknown }>
}

/** Runs the page's script as a browser does, and returns what it gives to Swagger UI. */
async function swaggerOptions() {
  const script = await readFile(new URL('./docs-start.js', import.meta.url), 'utf8')
  const given: { plugins: Plugin[] }[] = []
  runInNewContext(script, { SwaggerUIBundle: (options: (typeof given)[number]) => given.push(options) })
  const [plugin] = given[0]?.plugins ?? []
  if (!plugin) throw new Error('the script starts no page')
  return plugin
}

test('optional fields of a form begin empty in the reference page, and empty ones are not sent', async () => {
  const { statePlugins, wrapComponents } = await swaggerOptions()
  const { body: document } = await (await service()).anonymous.get('/openapi.json')
  const shown = statePlugins.spec.wrapActions.updateJsonSpec(given => given)(document)
  const content = shown.paths['/v1/memories/ingest']?.post.requestBody.content
  const { properties = {} } = content?.['multipart/form-data']?.schema ?? {}
  for (const name of ['format', 'user_id', 'source_url', 'replace', 'workspace_id']) {
    expect([name, properties[name]?.examples, properties[name]?.default]).toEqual([name, [''], undefined])
  }
  expect(properties.categories?.examples).toEqual([[]])
  const React = { createElement: (_: unknown, props: object) => props }
  const toggle = wrapComponents.ParameterIncludeEmpty('original', { React })
  const isIncludedOptions = { key: 'format', shouldDispatchInit: true, defaultValue: true }
  expect(toggle({ isIncludedOptions }).isIncludedOptions).toEqual({ ...isIncludedOptions, defaultValue: false })
})

test('the reference page asks for no icon that is not there', async () => {
  const { body } = await (await service()).anonymous.get('/docs', { headers: { accept: 'text/html' } })
  expect(body).toContain('<link rel="icon" href="data:,">')
})
