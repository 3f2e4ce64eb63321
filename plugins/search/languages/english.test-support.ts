import type { SearchServices } from '../pipeline/search.ts'

/** Treats all texts and queries as English. */
export const englishOnly: SearchServices['languages'] = { ofText: async () => 'en', ofQuery: async () => ['en'] }
