import type { KnowledgeEntry, MergedProfile, Profile } from '@mneme/client'
import { Link, useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { Asking, TextField } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Button, Card, type Column, Empty, Head, Loaded, Notice, Tabs, Time } from '../parts.tsx'
import type { ViewProps } from '../views.ts'
import { UserChoice } from './graph/user-choice.tsx'
import { Document, withoutSources } from './knowledge/document.tsx'
import { type Compilation, Compile, Entry, useCompilation } from './knowledge/entry.tsx'
import { counted } from './memories/memory.ts'

/** What memories add up to: the entries of users, or the one that the address names. */
export function Knowledge({ session }: ViewProps) {
  const { parts } = useAddress()
  if (parts[1] !== undefined) return <Entry key={parts[1]} id={parts[1]} />
  return <AllKnowledge workspace={session.workspace.id} />
}

const ABOUT = 'A document for each category of what the memories of a user say, kept true as they change.'

const VIEWS = { entries: 'Entries', merged: 'As one document' }

function AllKnowledge({ workspace }: { workspace: string }) {
  const { query, set } = useAddress()
  const { user_id, view = 'entries' } = query
  const compilation = useCompilation()
  const path = user_id && `/v1/memories/profile/${workspace}/${encodeURIComponent(user_id)}`
  // The path names the workspace, so the query may not.
  const options = { goesOn: () => compilation.isWatched, everywhere: true }
  const profile = useData<{ profile: Profile | null }>(path, {}, options)
  return (
    <>
      <Head title="Knowledge" about={ABOUT}>
        <UserChoice chosen={user_id} onChoose={id => set({ user_id: id })} />
        {user_id && <Compile key={user_id} user={user_id} compilation={compilation} />}
      </Head>
      {!user_id && <Notice text="Choose a user to read the profile, and to compile what the memories say now." />}
      {user_id && (
        <Card title={`Profile of \u2068${user_id}\u2069`}>
          <Loaded from={profile}>
            {({ profile: found }) =>
              found ? <Portrait profile={found} user={user_id} /> : <p class="quiet">{NO_PROFILE}</p>
            }
          </Loaded>
        </Card>
      )}
      <Filters />
      <Tabs options={VIEWS} chosen={view} onChoose={id => set({ view: id === 'entries' ? '' : id })} />
      {view === 'merged' ? <Merged compilation={compilation} /> : <Entries compilation={compilation} />}
    </>
  )
}

const NO_PROFILE = "There is no profile yet. It is written a few seconds after the user's memories came."

/** The portrait of a user in two or three sentences. */
function Portrait({ profile, user }: { profile: Profile; user: string }) {
  const { summary, topics, entityCount, extractedAt } = profile
  const entries = useData<List<KnowledgeEntry>>('/v1/knowledge', { user_id: user, page_size: 100 })
  const at = (view: string, words: object) => `/${view}?${new URLSearchParams({ user_id: user, ...words })}`
  const isCategory = (topic: string) => entries.data?.data.some(({ category }) => category === topic)
  // The names of entities and of categories stand side by side.
  const placeOf = (topic: string) =>
    isCategory(topic) ? at('knowledge', { category: topic }) : at('graph', { search: topic })
  return (
    <>
      <p dir="auto">{summary}</p>
      {topics.length > 0 && (
        <ul class="row bare" aria-label="Topics">
          {topics.map(topic => (
            <li key={topic} class="chip">
              <Link to={placeOf(topic)} text={topic} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        The <Link to={at('graph', {})} text="graph of the user" /> holds {counted(entityCount, 'entity', 'entities')}.
        Written: <Time at={extractedAt} />
      </p>
    </>
  )
}

/** Those that the service gives by itself; memories may have others. */
const CATEGORIES = [
  'personal',
  'relationships',
  'work_context',
  'tech_stack',
  'preferences',
  'communication_style',
  'general',
]

function Filters() {
  const { query, set } = useAddress()
  const { category = '', search = '' } = query
  const words = { dir: 'auto', placeholder: 'All' } as const
  return (
    <search aria-label="Entries">
      <Asking class="inline" onAsk={set}>
        <TextField label="Category" name="category" list="knowledge-categories" value={category} {...words} />
        <datalist id="knowledge-categories">
          {CATEGORIES.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField label="Words" name="search" type="search" value={search} {...words} />
        <Button type="submit" label="Search" />
        {(category || search) && <Button label="Show all" onClick={() => set({ category: '', search: '' })} />}
      </Asking>
    </search>
  )
}

const COLUMNS: readonly Column<KnowledgeEntry>[] = [
  ['Category', ({ id, category }) => <Link to={`/knowledge/${id}`} text={category} />],
  ['User', ({ user_id }) => <bdi>{user_id}</bdi>],
  ['Beginning', ({ content }) => <bdi class="clipped">{beginningOf(content)}</bdi>],
  ['Version', ({ version }) => version.toLocaleString('en'), 'number'],
  ['Last changed', ({ updated_at }) => <Time at={updated_at} />],
]

/** The first statements in one line, without the title that repeats the category. */
function beginningOf(content: string): string {
  const lines = withoutSources(content)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^#+ /.test(line))
  return lines
    .map(line => line.replace(/^[-*+]\s+/, ''))
    .join(' · ')
    .slice(0, 300)
}

/** The entries that pass the filters, in pages. */
function Entries({ compilation }: { compilation: Compilation }) {
  const { user_id, category, search } = useAddress().query
  const asked = { user_id, category, search }
  const entries = usePage<List<KnowledgeEntry>>('/v1/knowledge', asked, { goesOn: () => compilation.isWatched })
  const none = category || search ? NONE_FITS : user_id ? NONE_OF_USER : NONE
  return <Listed label="Knowledge entries" from={entries} columns={COLUMNS} none={none} />
}

const NONE_FITS = 'No entry fits. Try another category or other words.'
const NONE_OF_USER =
  "Nothing is known of this user yet. Entries are written a few seconds after the user's memories came. “Compile now” does not wait, and brings back deleted ones."
const NONE =
  'No knowledge yet. What the memories of a user say is put together here by category, a few seconds after the memories came.'

/** All entries that pass the filters, one after the other. */
function Merged({ compilation }: { compilation: Compilation }) {
  const { user_id, category, search } = useAddress().query
  const asked = { user_id, category, search, merged: true }
  const merged = useData<MergedProfile>('/v1/knowledge', asked, { goesOn: () => compilation.isWatched })
  return (
    <Loaded from={merged}>
      {({ content, version, categories }) =>
        content === '' ? (
          <Empty title="Nothing to put together" text="No entry fits the chosen user, category and words." />
        ) : (
          <Card title="The document">
            <p class="quiet">{`Version ${version}, of these categories: ${categories.join(', ')}.`}</p>
            <Document content={content} />
          </Card>
        )
      }
    </Loaded>
  )
}
