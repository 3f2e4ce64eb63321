import { PLUGIN_API_VERSION } from '../plugin.ts'
import type { PluginSelection } from './select.ts'
import type { Services } from './services.ts'

/** Tells people in plain lines what the service uses and what is off. */
export function summarise(
  { storage, embedder, language, reranker, config }: Services,
  { loaded, disabled }: PluginSelection,
  runsJobs: boolean,
): string[] {
  const off = disabled.length > 0 ? `; off: ${namesOf(disabled)}` : ''
  return [
    `database   ${storage.description}`,
    `embedder   ${embedder.modelId} (${embedder.dimensions} dimensions)`,
    `language   ${language.modelId === 'none' ? `local means only${howToAsk(config)}` : language.modelId}`,
    ...(reranker.modelId === 'none' ? [] : [`reranker   ${reranker.modelId}`]),
    `jobs       ${runsJobs ? `in this process, ${config.WORKER_CONCURRENCY} at once` : 'in other processes (bun run workers)'}`,
    ...(config.OTEL_EXPORTER_OTLP_ENDPOINT
      ? [`traces     sent to ${new URL(config.OTEL_EXPORTER_OTLP_ENDPOINT).origin}`]
      : []),
    `plugins    ${loaded.map(plugin => plugin.id).join(', ')}${off}`,
    `plugin API ${PLUGIN_API_VERSION}`,
  ]
}

/** A key alone sends nothing, so whoever has one is told what does. */
function howToAsk({ LANGUAGE_MODEL, ANTHROPIC_API_KEY }: Services['config']): string {
  if (LANGUAGE_MODEL === 'none') return ''
  return ANTHROPIC_API_KEY
    ? '; LANGUAGE_MODEL=claude sends texts to Claude with ANTHROPIC_API_KEY'
    : ' (no LANGUAGE_MODEL)'
}

/** Names plugins that are off, and for those that went with another which one that is. */
function namesOf(disabled: PluginSelection['disabled']): string {
  const ids = new Set(disabled.map(({ id }) => id))
  return disabled
    .map(({ id, requires = [] }) => {
      const missing = requires.filter(required => ids.has(required))
      return missing.length > 0 ? `${id} (requires ${missing.join(', ')})` : id
    })
    .join(', ')
}
