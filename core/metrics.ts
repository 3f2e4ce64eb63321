import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface HttpMetrics {
  /** `route` is the pattern, never the path: its values must stay few. */
  observe(method: string, route: string, status: number, seconds: number): void
}

export interface Metrics {
  readonly registry: Registry
  readonly http: HttpMetrics
}

/** The lag of the event loop is sampled this often. By default an idle process would wake up a hundred times a second for it. */
const LAG_EVERY_MS = 1000

/**
 * Collects Prometheus metrics; the request histogram follows OpenTelemetry's `http.server.request.duration`, in
 * seconds.
 */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_EVERY_MS })
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the first byte of a request to its response.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  return {
    registry,
    http: {
      observe: (method, route, status, seconds) => duration.labels(method, route, String(status)).observe(seconds),
    },
  }
}

/** Holds registries that each belong to one plugin, with the process's registry that exposes them. */
const wholes = new WeakMap<Registry, Registry>()

export function belongsTo(registry: Registry, whole: Registry): void {
  wholes.set(registry, whole)
}

/** Returns the process's registry behind a plugin's, for metrics of the kernel that several plugins add to. */
export function wholeRegistry(registry: Registry): Registry {
  return wholes.get(registry) ?? registry
}
