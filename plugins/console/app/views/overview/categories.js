import { Bars } from '../../bars.js'
import { useData } from '../../data.ts'
import { html, useState } from '../../library.js'
import { Button, Card, Loaded } from '../../parts.tsx'
import { ZONE } from './period.js'

/** Shows what the memories of the period are about. */
export function Categories({ days }) {
  const categories = useData('/v1/dashboard/categories', { days, timezone: ZONE })
  return html`<${Card} title="Categories of new memories">
    <${Loaded} from=${categories}>${data => html`<${Named} named=${data.categories} />`}<//>
  <//>`
}

const SHOWN_FIRST = 8
const KNOWN = 200
const NONE = 'uncategorized'

function Named({ named }) {
  const [isWhole, setWhole] = useState(false)
  if (named.length === 0) {
    return html`<p class="quiet">
      No memory of this period has a category. Memories get categories as they are processed, or with the request that
      stores them.
    </p>`
  }
  const most = named[0].count
  const rows = named.slice(0, isWhole ? undefined : SHOWN_FIRST).map(({ name, count, pct }) => ({
    key: name,
    name: html`<span dir="auto">${name === NONE ? 'Without a category' : name}</span>`,
    share: count / most,
    text: `${count.toLocaleString('en')} (${pct.toLocaleString('en', { maximumFractionDigits: 1 })} %)`,
  }))
  const rest = named.length - rows.length
  return html`
    <${Bars} label="Memories by category" rows=${rows} />
    ${rest > 0 && html`<p><${Button} kind="link" onClick=${() => setWhole(true)}>${moreOf(rest)}<//></p>`}
    ${rest === 0 && named.length >= KNOWN && html`<p class="quiet">The ${KNOWN} largest categories are shown.</p>`}
  `
}

const moreOf = count => (count === 1 ? 'Show one more' : `Show ${count} more`)
