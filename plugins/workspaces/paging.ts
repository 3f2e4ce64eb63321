import type { PageQuery } from './schemas.ts'

export function windowOf({ page, page_size }: PageQuery): { limit: number; offset: number } {
  return { limit: page_size, offset: (page - 1) * page_size }
}

/** The pagination envelope of the interface. */
export function envelope<T>({ page, page_size }: PageQuery, data: readonly T[], total: number) {
  return { data: [...data], total, page, page_size }
}
