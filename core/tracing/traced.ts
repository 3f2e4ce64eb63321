import type { Database, OpenDatabase } from '../db/database.ts'
import type { FetchHandler } from '../http/app.ts'
import { endOf } from '../http/deliver.ts'
import type { MountedTask } from '../jobs/attempt.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { OpenEmbedder } from '../models/embedder.ts'
import type { OpenLanguageModel } from '../models/language/language-model.ts'
import type { Reranker } from '../models/rerank/reranker.ts'
import type { OutgoingClient } from '../outgoing/client.ts'
import type { Tracing } from './tracing.ts'

/** Each of these hands back what it was given when nothing is traced, so that tracing costs nothing then. */
type Maybe = Tracing | undefined

/** A span for each request, below the caller's if it names one, until the last byte of the response. */
export function tracedFetch(tracing: Maybe, fetch: FetchHandler): FetchHandler {
  if (!tracing) return fetch
  return request =>
    tracing.span(
      {
        name: request.method,
        kind: 'server',
        headers: request.headers,
        // A client's Host header can make the address as a whole unreadable.
        attributes: {
          'http.request.method': request.method,
          'url.scheme': request.url.startsWith('https:') ? 'https' : 'http',
        },
      },
      async span => {
        const response = await fetch(request)
        span.setAttribute('http.response.status_code', response.status)
        span.setAttribute('mneme.request_id', response.headers.get('x-request-id') ?? '')
        if (response.status >= 500) span.setAttribute('error.type', String(response.status))
        return response
      },
      endOf,
    )
}

/** Names the request's span by its route, which is known where requests are measured. */
export function tracedHttp(tracing: Maybe, metrics: HttpMetrics): HttpMetrics {
  if (!tracing) return metrics
  return {
    observe(method, route, status, seconds) {
      tracing.current()?.updateName(`${method} ${route}`).setAttribute('http.route', route)
      metrics.observe(method, route, status, seconds)
    },
  }
}

/** A span for each transaction, without the time that it waits for its turn. */
export function tracedDatabase(tracing: Maybe, database: OpenDatabase): OpenDatabase {
  if (!tracing) return database
  const start = (name: string) =>
    ({ name, kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name } }) as const
  const system: Database['system'] = (work, options) =>
    tracing.span(start('system transaction'), () => database.system(work, options))
  const workspace: Database['workspace'] = (id, work, options) =>
    tracing.span(start('workspace transaction'), () => database.workspace(id, work, options))
  return { ...database, system, workspace }
}

/** A span for each attempt at a job, the beginning of a trace. */
export function tracedTask(tracing: Maybe, mounted: MountedTask): MountedTask {
  if (!tracing) return mounted
  const { task } = mounted
  const start = {
    name: `job ${task.name}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'graphile_worker',
      'messaging.operation.type': 'process',
      'messaging.destination.name': task.name,
    },
  } as const
  return { ...mounted, task: { ...task, run: input => tracing.span(start, async () => task.run(input)) } }
}

/** A span for each request to a URL that a user gave; its host is named, its path may be a secret. */
export function tracedOutgoing(tracing: Maybe, client: OutgoingClient): OutgoingClient {
  if (!tracing) return client
  return {
    ...client,
    request: (url, options) => {
      const method = options?.method ?? 'GET'
      const host = URL.canParse(url) ? new URL(url).hostname : ''
      const attributes = { 'http.request.method': method, 'server.address': host }
      return tracing.span({ name: method, kind: 'client', attributes }, async span => {
        const response = await client.request(url, options)
        span.setAttribute('http.response.status_code', response.status)
        return response
      })
    },
  }
}

export function tracedEmbedder(tracing: Maybe, embedder: OpenEmbedder): OpenEmbedder {
  if (!tracing) return embedder
  return {
    get modelId() {
      return embedder.modelId
    },
    get dimensions() {
      return embedder.dimensions
    },
    embed(texts, options) {
      const attributes = {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.request.model': embedder.modelId,
        'mneme.texts': texts.length,
        'mneme.priority': options?.priority ?? 'document',
      }
      return tracing.span({ name: `embeddings ${embedder.modelId}`, kind: 'client', attributes }, async span => {
        const made = await embedder.embed(texts, options)
        span.setAttribute(
          'gen_ai.usage.input_tokens',
          made.reduce((sum, { tokens }) => sum + tokens, 0),
        )
        return made
      })
    },
    ready: () => embedder.ready(),
    close: () => embedder.close(),
  }
}

export function tracedReranker(tracing: Maybe, reranker: Reranker): Reranker {
  if (!tracing) return reranker
  const { modelId } = reranker
  return {
    modelId,
    available: () => reranker.available(),
    score(query, texts, options) {
      const attributes = {
        'gen_ai.operation.name': 'rerank',
        'gen_ai.request.model': modelId,
        'mneme.texts': texts.length,
      }
      return tracing.span({ name: `rerank ${modelId}`, kind: 'client', attributes }, async span => {
        const reranked = await reranker.score(query, texts, options)
        span.setAttribute('gen_ai.usage.input_tokens', reranked.tokens)
        return reranked
      })
    },
  }
}

export function tracedLanguage(tracing: Maybe, model: OpenLanguageModel): OpenLanguageModel {
  if (!tracing) return model
  return {
    get modelId() {
      return model.modelId
    },
    available: priority => model.available(priority),
    outage: () => model.outage(),
    generate(request) {
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model.modelId,
        'gen_ai.request.max_tokens': request.maxTokens,
        'mneme.operation': request.operation,
      }
      return tracing.span({ name: `chat ${model.modelId}`, kind: 'client', attributes }, async span => {
        const generated = await model.generate(request)
        span.setAttribute('gen_ai.usage.input_tokens', generated.usage.inputTokens)
        span.setAttribute('gen_ai.usage.output_tokens', generated.usage.outputTokens)
        return generated
      })
    },
    close: () => model.close(),
  }
}
