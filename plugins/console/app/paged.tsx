import type { ComponentChildren } from 'preact'
import { useAddress } from './address.tsx'
import { type DataOptions, type Loading, useData } from './data.ts'
import { Button, type Column, Empty, Loaded, Pager, Table } from './parts.tsx'

const PAGE_SIZE = 20

/** A page of a list, as the API gives it. */
export interface List<Item> {
  readonly data: readonly Item[]
  readonly total: number
}

interface PageOptions extends DataOptions {
  readonly pageSize?: number
  /** How the list calls the size of a page. */
  readonly sizeName?: string
  /** How the address calls the page, where a view has several lists. */
  readonly pageName?: string
}

/** What `Paged` needs of a list. */
export interface PageLoading<Found> extends Loading<Found> {
  readonly page: number
  readonly pageSize: number
  readonly turnTo: (page: number) => void
}

/** Loads the page of a list that the address names, as `useData` does. */
export function usePage<Found extends List<unknown> = List<never>>(
  path: string | undefined,
  query: Record<string, unknown> = {},
  { pageSize = PAGE_SIZE, sizeName = 'page_size', pageName = 'page', ...others }: PageOptions = {},
): PageLoading<Found> {
  const address = useAddress()
  const page = Math.max(1, Number.parseInt(address.query[pageName] ?? '1', 10) || 1)
  const loaded = useData<Found>(path, { ...query, page, [sizeName]: pageSize }, others)
  return { ...loaded, page, pageSize, turnTo: next => address.set({ [pageName]: next }) }
}

interface PagedProps<Found> {
  readonly from: PageLoading<Found>
  /** It is shown where the list is empty. */
  readonly none: ComponentChildren
  readonly children: (loaded: Found) => ComponentChildren
}

/** Shows what `usePage` loads, with the way to the other pages. */
export function Paged<Found extends List<unknown>>({ from, none, children }: PagedProps<Found>) {
  const { page, pageSize, turnTo } = from
  return (
    <Loaded from={from}>
      {loaded => (
        <>
          {loaded.data.length > 0 ? children(loaded) : page > 1 ? <Beyond turnTo={turnTo} /> : none}
          <Pager page={page} pageSize={pageSize} total={loaded.total} onPage={turnTo} />
        </>
      )}
    </Loaded>
  )
}

/** The list has become shorter since, or the address was written by hand. */
const Beyond = ({ turnTo }: { readonly turnTo: (page: number) => void }) => (
  <Empty
    title="This page is empty"
    text={
      <>
        The list is not as long as this. <Button kind="link" label="Show the first page" onClick={() => turnTo(1)} />
      </>
    }
  />
)

interface ListedProps<Item> {
  readonly from: PageLoading<List<Item>>
  /** Tells what the rows are. */
  readonly label: string
  readonly columns: readonly Column<Item>[]
  /** In place of an empty list: its first sentence is the title. */
  readonly none: string
}

/** Shows what `usePage` loads as a table. */
export function Listed<Item>({ from, label, columns, none }: ListedProps<Item>) {
  const [title = '', ...others] = none.split(/(?<=\.) /)
  return (
    <Paged from={from} none={<Empty title={title.replace(/\.$/, '')} text={others.join(' ')} />}>
      {({ data }) => <Table label={label} columns={columns} rows={data} />}
    </Paged>
  )
}
