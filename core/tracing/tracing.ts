import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { inTime } from '../in-time.ts'
import type { Logger } from '../log.ts'
import { VERSION } from '../version.ts'

/** Names, kinds and attributes follow the semantic conventions of OpenTelemetry; none of them holds a text, a query or a path of others. */
export interface SpanStart {
  readonly name: string
  readonly kind: keyof typeof KINDS
  readonly attributes?: Attributes
  /** The headers of a request, which may name the span of its caller. Without them the span lies below the one under way. */
  readonly headers?: Headers
}

export interface Tracing {
  /** Runs the work in a span, which ends with it, or with what `endsWith` makes of the result. A failure marks the span by its kind alone. */
  span<T>(
    start: SpanStart,
    work: (span: Span) => Promise<T>,
    endsWith?: (result: T) => Promise<unknown> | undefined,
  ): Promise<T>
  /** The span under way. */
  current(): Span | undefined
  /** Sends what waits to be sent, as far as that goes within 1.5 seconds. */
  close(): Promise<void>
}

export interface TracingOptions {
  /** The base address of the collector, below which traces go to `/v1/traces`. */
  readonly endpoint: string
  readonly serviceName: string
  /** The share of traces that are recorded, from 0 to 1; a caller's own decision goes before it. */
  readonly share: number
  /** For the collector: `name=value` pairs with commas between them, values percent-encoded. */
  readonly headers: string
  readonly log: Pick<Logger, 'info' | 'warn'>
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const

const EXPORT_MS_MAX = 5000
const TRIES = 3
const TRY_AGAIN_MS = 1000
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** A stop waits no longer for a collector, which may be away. */
const CLOSE_MS_MAX = 1500

/** Nothing is registered globally, so that several kernels in one process keep apart. */
export function openTracing(options: TracingOptions): Tracing {
  const { exporter, failed } = told(createExporter(options), options)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': options.serviceName, 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    // Its queue is bounded: what a collector that is away does not take is dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS_MAX })],
  })
  const tracer = provider.getTracer('mneme', VERSION)
  const propagator = new W3CTraceContextPropagator()
  const contexts = new AsyncLocalStorage<Context>()
  const parentOf = (headers: Headers | undefined): Context => {
    if (!headers) return contexts.getStore() ?? ROOT_CONTEXT
    const carrier = { traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') }
    return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter)
  }
  return {
    async span({ name, kind, attributes, headers }, work, endsWith) {
      const parent = parentOf(headers)
      const span = tracer.startSpan(name, { kind: KINDS[kind], ...(attributes ? { attributes } : {}) }, parent)
      let end: Promise<unknown> | undefined
      try {
        const result = await contexts.run(trace.setSpan(parent, span), () => work(span))
        end = endsWith?.(result)
        return result
      } catch (error) {
        span.setAttribute('error.type', kindOf(error))
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        if (end) void end.finally(() => span.end())
        else span.end()
      }
    },
    current() {
      const context = contexts.getStore()
      return context && trace.getSpan(context)
    },
    // The log tells when spans could not be sent.
    close: () =>
      inTime(
        provider.shutdown().catch(() => undefined),
        CLOSE_MS_MAX,
        failed,
      ),
  }
}

/** Sends by `fetch`, which goes through the operator's proxy; OpenTelemetry's own exporter for servers knows none. */
function createExporter({ endpoint, headers }: TracingOptions): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const send = async (spans: Parameters<SpanExporter['export']>[0]) => {
    const body = ProtobufTraceSerializer.serializeRequest(spans)
    if (!body) return
    const signal = AbortSignal.timeout(EXPORT_MS_MAX)
    const sent = { ...parseKeyPairsIntoRecord(headers), 'content-type': 'application/x-protobuf' }
    // Collectors ask for a later try where they are busy.
    for (let tries = 1; ; tries++) {
      const response = await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body), signal })
      await response.body?.cancel()
      if (response.ok) return
      if (tries === TRIES || !LATER.has(response.status)) throw new Error(`it answers ${response.status}`)
      await setTimeout(TRY_AGAIN_MS * tries, undefined, { signal })
    }
  }
  return {
    export(spans, done) {
      send(spans).then(
        () => done({ code: ExportResultCode.SUCCESS }),
        error => done({ code: ExportResultCode.FAILED, error }),
      )
    },
    shutdown: async () => undefined,
  }
}

/** Says in the log when the collector cannot be reached and when it can be again, once each. */
function told(exporter: SpanExporter, { endpoint, log }: TracingOptions) {
  const { origin } = new URL(endpoint)
  let isAway = false
  function failed(err?: Error): void {
    if (!isAway) log.warn({ err }, `traces cannot be sent to ${origin}; they are dropped`)
    isAway = true
  }
  function succeeded(): void {
    if (isAway) log.info(`traces are sent to ${origin} again`)
    isAway = false
  }
  const telling: SpanExporter = {
    export(spans, done) {
      exporter.export(spans, result => {
        if (result.code === ExportResultCode.SUCCESS) succeeded()
        else failed(result.error)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
  return { exporter: telling, failed }
}

/** Messages may quote what users sent, so only codes and names are told. */
function kindOf(error: unknown): string {
  const code: unknown = Object(error).code
  if (typeof code === 'string') return code
  return error instanceof Error ? error.name : 'unknown'
}
