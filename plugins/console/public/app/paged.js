import { useAddress } from './address.js'
import { useData } from './data.js'
import { html } from './library.js'
import { Button, Empty, Loaded, Pager } from './parts.js'

const PAGE_SIZE = 20

/**
 * Loads the page of a list that the address names, as `useData` does.
 *
 * @param {string | undefined} path
 * @param {Record<string, unknown>} [query]
 * @param {object} [options] those of `useData`, and
 * @param {number} [options.pageSize]
 * @param {string} [options.sizeName] how the list calls the size of a page
 * @param {string} [options.pageName] how the address calls the page, where a view has several lists
 * @returns what `useData` returns, and what `Paged` needs
 */
export function usePage(path, query = {}, options = {}) {
  const { pageSize = PAGE_SIZE, sizeName = 'page_size', pageName = 'page', ...others } = options
  const address = useAddress()
  const page = Math.max(1, Number.parseInt(address.query[pageName] ?? '1', 10) || 1)
  const loaded = useData(path, { ...query, page, [sizeName]: pageSize }, others)
  return { ...loaded, page, pageSize, turnTo: next => address.set({ [pageName]: next }) }
}

/**
 * Shows what `usePage` loads, with the way to the other pages.
 *
 * @param {{from: ReturnType<typeof usePage>, none: unknown, children: (loaded: any) => unknown}} props `none` is shown where the
 * list is empty; `children` draws what was loaded otherwise
 */
export function Paged({ from, none, children }) {
  const { page, pageSize, turnTo } = from
  return html`<${Loaded} from=${from}>
    ${loaded => html`
      ${loaded.data.length > 0 ? children(loaded) : page > 1 ? html`<${Beyond} turnTo=${turnTo} />` : none}
      <${Pager} page=${page} pageSize=${pageSize} total=${loaded.total} onPage=${turnTo} />
    `}
  <//>`
}

/** The list has become shorter since, or the address was written by hand. */
function Beyond({ turnTo }) {
  const first = html`<${Button} kind="link" onClick=${() => turnTo(1)}>Show the first page<//>`
  return html`<${Empty} title="This page is empty">The list is not as long as this. ${first}<//>`
}
