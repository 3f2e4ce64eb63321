/** An operation of the service's own OpenAPI document. */
export interface Operation {
  readonly method: string
  readonly path: string
  /** A JSON body that the document shows. */
  readonly example: unknown
}

/** The document itself, and pages without a workspace, tell nothing about load; webhooks of examples would call strangers. */
const LEFT_OUT = /^\/(?:openapi|docs|console|v1\/auth)/
const WITHOUT_EXAMPLE = /webhooks|workspaces|api-keys/

export async function operationsOf(base: string): Promise<Operation[]> {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content?: Record<string, Content> } }>>
  }
  return Object.entries(document.paths)
    .filter(([path]) => !LEFT_OUT.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        example: WITHOUT_EXAMPLE.test(path) ? undefined : exampleIn(requestBody?.content?.['application/json']),
      })),
    )
}

interface Content {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
  readonly schema?: { readonly examples?: readonly unknown[] }
}

function exampleIn(content: Content | undefined): unknown {
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? content?.schema?.examples?.[0]
}

/** Bodies that no route takes. */
export const BAD_BODIES: readonly string[] = [
  '{}',
  '[',
  'null',
  '{"memory":9007199254740993}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
  JSON.stringify({ memory: 'x'.repeat(200_000) }),
  JSON.stringify({ memories: Array.from({ length: 501 }, () => ({ memory: '' })) }),
  JSON.stringify({ query: 'x', filter: Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])) }),
  '\u0000\ud800',
]
