import type { ExpansionServices } from './expansion.ts'

/** Neither a model nor other plugins: what the workspace itself knows. */
export const localExpansion: ExpansionServices = { model: { terms: async () => undefined }, aliases: () => [] }
