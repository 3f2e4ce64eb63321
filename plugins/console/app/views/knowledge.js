import { useAddress } from '../address.tsx'
import { html } from '../library.js'
import { Head, Notice, Tabs } from '../parts.tsx'
import { UserChoice } from './graph/user-choice.tsx'
import { Compile, useCompilation } from './knowledge/compile.js'
import { Entries } from './knowledge/entries.js'
import { Entry } from './knowledge/entry.js'
import { Filters } from './knowledge/filters.js'
import { Merged } from './knowledge/merged.js'
import { Profile } from './knowledge/profile.js'

/** What memories add up to: the entries of users, or the one that the address names. */
export function Knowledge({ session }) {
  const { parts } = useAddress()
  return parts[1] === undefined
    ? html`<${AllKnowledge} workspace=${session.workspace} />`
    : html`<${Entry} key=${parts[1]} id=${parts[1]} />`
}

const ABOUT = 'A document for each category of what the memories of a user say, kept true as they change.'

const VIEWS = [
  { id: 'entries', title: 'Entries' },
  { id: 'merged', title: 'As one document' },
]

function AllKnowledge({ workspace }) {
  const { query, set } = useAddress()
  const { user_id, view = 'entries' } = query
  const compilation = useCompilation()
  return html`
    <${Head} title="Knowledge" about=${ABOUT}>
      <${UserChoice} chosen=${user_id} onChoose=${id => set({ user_id: id })} />
      ${user_id && html`<${Compile} key=${user_id} user=${user_id} compilation=${compilation} />`}
    <//>
    ${
      user_id
        ? html`<${Profile} key=${user_id} workspace=${workspace} user=${user_id} compilation=${compilation} />`
        : html`<${Notice}><p>Choose a user to read the profile, and to compile what the memories say now.</p><//>`
    }
    <${Filters} />
    <${Tabs} options=${VIEWS} chosen=${view} onChoose=${id => set({ view: id === 'entries' ? '' : id })} />
    ${
      view === 'merged'
        ? html`<${Merged} compilation=${compilation} />`
        : html`<${Entries} compilation=${compilation} />`
    }
  `
}
