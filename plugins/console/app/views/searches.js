import { navigate, useAddress } from '../address.tsx'
import { html } from '../library.js'
import { Head, Tabs } from '../parts.tsx'
import { daysOf, PeriodField } from './overview/period.js'
import { Balance } from './searches/balance.js'
import { Quality } from './searches/quality.js'
import { Queries } from './searches/queries.js'
import { Why } from './searches/why.js'

const ABOUT = 'How well memories are found, which queries find too little, and why.'

const PARTS = [
  { id: 'figures', title: 'Figures', hasPeriod: true },
  { id: 'queries', title: 'Queries', hasPeriod: true },
  { id: 'why', title: 'Explain a search' },
  { id: 'balance', title: 'Ranking balance' },
]

/** Shows how well searches of the workspace work, and what can be done about those that do not. */
export function Searches() {
  const { query, set } = useAddress()
  const days = daysOf(query)
  const part = partOf(query)
  const explain = q => navigate(`/searches?${new URLSearchParams({ part: 'why', q, days: String(days) })}`)
  return html`
    <${Head} title="Search quality" about=${ABOUT}>
      ${part.hasPeriod && html`<${PeriodField} days=${days} set=${set} />`}
    <//>
    <${Tabs} options=${PARTS} chosen=${part.id} onChoose=${id => set({ part: id })} />
    ${part.id === 'figures' && html`<${Quality} days=${days} />`}
    ${part.id === 'queries' && html`<${Queries} days=${days} onExplain=${explain} />`}
    ${part.id === 'why' && html`<${Why} />`}
    ${part.id === 'balance' && html`<${Balance} />`}
  `
}

/** Returns the part that the address names; an address with a memory alone asks for its explanation. */
function partOf({ part, memory }) {
  const named = PARTS.find(({ id }) => id === part)
  return named ?? PARTS.find(({ id }) => id === (memory ? 'why' : 'figures'))
}
