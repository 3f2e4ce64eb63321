import type { ExpansionServices } from './expansion.ts'

/** Expands queries with neither a model nor other plugins. */
export const localExpansion: ExpansionServices = { model: { terms: async () => undefined }, aliases: () => [] }
