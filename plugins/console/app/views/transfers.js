import { useAddress } from '../address.tsx'
import { html } from '../library.js'
import { Head, Tabs } from '../parts.tsx'
import { Exports } from './transfers/exports.js'
import { Imports } from './transfers/imports.js'

const WAYS = [
  { id: 'exports', title: 'Exports' },
  { id: 'imports', title: 'Imports' },
]

/** Files that take the workspace's data out, and files that bring data in. */
export function Transfers({ session }) {
  const { query, set } = useAddress()
  const way = query.way === 'imports' ? 'imports' : 'exports'
  return html`
    <${Head}
      title="Export and import"
      about="Take all data of this workspace with you, or bring data from elsewhere."
    />
    <${Tabs} options=${WAYS} chosen=${way} onChoose=${id => set({ way: id })} />
    ${way === 'imports' ? html`<${Imports} />` : html`<${Exports} session=${session} />`}
  `
}
