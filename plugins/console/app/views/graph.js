import { useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { html } from '../library.js'
import { Head } from '../parts.tsx'
import { Ask } from './graph/ask.js'
import { Entities } from './graph/entities.js'
import { Entity } from './graph/entity.js'
import { UserChoice } from './graph/user-choice.js'

/** People, organizations, places and things that memories name: all of them, or the one that the address names. */
export function Graph() {
  const { parts } = useAddress()
  return parts[1] === undefined ? html`<${AllEntities} />` : html`<${Entity} key=${parts[1]} id=${parts[1]} />`
}

const ABOUT = 'Memories name people, organizations, places and things, and tell how they are related.'

function AllEntities() {
  const { query, set } = useAddress()
  const users = useData('/v1/memories/entities')
  const choose = user_id => set({ user_id })
  return html`
    <${Head} title="Graph" about=${ABOUT}>
      <${UserChoice} from=${users} chosen=${query.user_id} onChoose=${choose} />
    <//>
    <${Ask} />
    <${Entities} />
  `
}
