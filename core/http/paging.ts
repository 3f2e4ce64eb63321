import { type TInteger, type TSchema, Type } from '@sinclair/typebox'

/** A page beyond this is far past any use, and its offset stays a number that Postgres reads. */
const PAGE_MAX = 1_000_000

/** A number that is filled in where a request leaves it out: the handler always has it, the caller need not give it. */
type FilledInteger = TInteger & { readonly default: number }

/** The parameters of a list in pages, for a query that has others beside them. */
export const pageParameters = {
  page: { ...Type.Integer({ minimum: 1, maximum: PAGE_MAX, description: 'From 1.' }), default: 1 },
  page_size: { ...Type.Integer({ minimum: 1, maximum: 100, description: 'Items on a page.' }), default: 20 },
} satisfies Record<string, FilledInteger>

/** The query of a list that has no other parameters. */
export const pageQuery = Type.Object(pageParameters)

export interface PageQuery {
  readonly page: number
  readonly page_size: number
}

/** The rows of a page, as a statement wants them. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
}

export function windowOf({ page, page_size }: PageQuery): PageWindow {
  return { limit: page_size, offset: (page - 1) * page_size }
}

/** Puts the items of a page into the pagination envelope. */
export function envelope<T>({ page, page_size }: PageQuery, data: readonly T[], total: number) {
  return { data: [...data], total, page, page_size }
}

/** The schema of the pagination envelope. */
export const pageOf = <S extends TSchema>(item: S, total = 'All there are, on every page.') =>
  Type.Object(
    {
      data: Type.Array(item, { description: 'The items of the page.' }),
      total: Type.Integer({ description: total }),
      page: Type.Integer({ description: 'The page, from 1.' }),
      page_size: Type.Integer({ description: 'Items on a page.' }),
    },
    item.title ? { title: `${item.title}Page` } : {},
  )
