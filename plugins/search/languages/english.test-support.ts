import type { SearchServices } from '../search.ts'

/** A world in which all texts and queries are English. */
export const englishOnly: SearchServices['languages'] = { ofText: async () => 'en', ofQuery: async () => ['en'] }
