import type { CoreConfig } from '../config.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** Opens tracing where a collector is named; without one the SDK is not even loaded. */
export async function openTracing(config: CoreConfig, log: Logger): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (!endpoint) return undefined
  const tracing = await import('../tracing/tracing.ts')
  return tracing.openTracing({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? '',
    log,
  })
}
