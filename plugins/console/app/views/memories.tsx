import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { navigate, useAddress } from '../address.tsx'
import { usePage } from '../paged.tsx'
import { Button, Fault, Head, Notice } from '../parts.tsx'
import { Add, EraseUser } from './memories/editor.tsx'
import { Filters, requestOf } from './memories/filters.tsx'
import { Known } from './memories/known.tsx'
import { anyUnderWay, List } from './memories/list.tsx'
import type { Memories as Found } from './memories/memory.ts'
import { closePanel, Panel } from './memories/panel.tsx'

/** All memories of the workspace, with the one beside them that the address names. */
export function Memories() {
  const { parts, query, set } = useAddress()
  const [version, setVersion] = useState(0)
  const [done, setDone] = useState<ComponentChildren>()
  const { request, error } = tried(query)
  // Searches are counted and learned from, so none is repeated only to show how far processing is.
  const { path, query: asked, asBody } = request
  const memories = usePage<Found>(path, asked, { goesOn: anyUnderWay, isLive: query.search === undefined, asBody })
  const [open, setOpen] = useState('')
  const [isNaming, setNaming] = useState(false)
  useEffect(() => {
    if (!query.open) return
    setOpen(query.open)
    navigate('/memories', { replace: true })
  }, [query.open])
  const finish = (message: ComponentChildren) => {
    setOpen('')
    setDone(message)
    setVersion(version + 1)
  }
  const found = memories.data?.data.find(({ id }) => id === parts[1])
  return (
    <div class={parts[1] ? 'stack beside' : 'stack'}>
      <Head title="Memories">
        <Button onClick={() => setOpen('erase')} label="Delete a user's memories" />
        <Button kind="first" icon="plus" onClick={() => setOpen('add')} label="Add a memory" />
      </Head>
      {done && <Notice kind="good" text={done} />}
      {(isNaming || open) && <Known key={version} />}
      <Filters query={query} set={set} onOpen={() => setNaming(true)} />
      <Fault error={error} />
      {query.metadata && !query.search && <Notice text="Metadata narrow a search: write what to search for, too." />}
      <List memories={memories} query={query} open={parts[1]} />
      {parts[1] && (
        <Panel key={parts[1]} id={parts[1]} found={found} queryHash={memories.data?.query_hash} onClose={closePanel} />
      )}
      {open === 'add' && <Add user={query.user_id} onAdded={finish} onClose={() => setOpen('')} />}
      {open === 'erase' && <EraseUser user={query.user_id} onErased={finish} onClose={() => setOpen('')} />}
    </div>
  )
}

/** Metadata that are no JSON are told of, and the list stays away. */
function tried(query: Record<string, string>) {
  try {
    return { request: requestOf(query), error: undefined }
  } catch (error) {
    return { request: { path: undefined, query: {}, asBody: false }, error: error as Error }
  }
}
