import { Link, navigate } from '../../address.tsx'
import { call } from '../../api.ts'
import { useAction, useData } from '../../data.ts'
import { Confirmed } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Button, Card, Fault, Head, Loaded, Notice } from '../../parts.tsx'
import { Edit } from './edit.js'
import { Facts } from './facts.js'
import { History } from './history.js'
import { lastList } from './last-list.js'
import { isUnderWay } from './list.js'
import { metadataText } from './metadata.js'
import { shortened } from './texts.js'

/** All that is known of one memory, and what can be done with it. */
export function Detail({ id }) {
  const memory = useData(`/v1/memories/${encodeURIComponent(id)}`, {}, { goesOn: isUnderWay })
  return html`
    <p><${Link} to=${lastList()}>Back to the list<//></p>
    <${Loaded} from=${memory}>
      ${data => html`
        <${Head} title="Memory" about=${stateOf(data)}>
          <${Actions} memory=${data} reload=${memory.reload} />
        <//>
        <${Messages} memory=${data} reload=${memory.reload} />
        <${Card} title="Text">
          <p class="written" dir="auto">${data.memory}</p>
          <p><${Link} to=${similarTo(data)}>Find memories of similar meaning<//></p>
        <//>
        <${Facts} memory=${data} />
        ${data.metadata && html`<${Card} title="Metadata"><pre>${metadataText(data.metadata)}</pre><//>`}
        <${History} key=${data.updated_at} id=${data.id} />
      `}
    <//>
  `
}

const SEARCHED_MAX = 500

function similarTo({ memory }) {
  const words = new URLSearchParams({ search: shortened(memory.trim(), SEARCHED_MAX), mode: 'semantic' })
  return `/memories?${words}`
}

const STATES = {
  PENDING: 'It is found by its words, and waits to be found by its meaning.',
  PROCESSING: 'It is found by its words, and is being made ready to be found by its meaning.',
  COMPLETED: 'It is found by its words and by its meaning.',
  FAILED: 'It is found by its words only, because its processing failed.',
}

const stateOf = ({ status, consolidated_into }) =>
  consolidated_into === null ? STATES[status] : 'It was merged into another memory, which is found in its place.'

function Actions({ memory, reload }) {
  const [isEditing, setEditing] = useState(false)
  const path = `/v1/memories/${memory.id}`
  const isMerged = memory.consolidated_into !== null
  const remove = async () => {
    const here = location.pathname
    await call('DELETE', path)
    // A reader who has gone elsewhere meanwhile is not called back.
    if (location.pathname === here) navigate(lastList())
  }
  const promote = async () => {
    await call('POST', `${path}/promote`)
    await reload()
  }
  const close = () => setEditing(false)
  const finish = async () => {
    close()
    await reload()
  }
  return html`
    ${!isMerged && memory.layer === 'TASK' && html`<${Act} label="Keep for good" act=${promote} />`}
    ${!isMerged && html`<${Button} onClick=${() => setEditing(true)}>Edit<//>`}
    <${Confirmed} label="Delete" question="The memory is deleted for good, with its history." act=${remove} />
    ${isEditing && html`<${Edit} memory=${memory} onSaved=${finish} onClose=${close} />`}
  `
}

/** A button that does its work at once, and shows why it could not. */
function Act({ label, act }) {
  const { run, error, isBusy } = useAction(act)
  return html`<${Button} isBusy=${isBusy} onClick=${() => run()}>${label}<//><${Fault} error=${error} />`
}

function Messages({ memory, reload }) {
  if (memory.consolidated_into !== null) return html`<${Merged} memory=${memory} reload=${reload} />`
  return memory.status === 'FAILED' ? html`<${Failed} memory=${memory} reload=${reload} />` : null
}

const RESTORING =
  'The memory becomes what it was, and is not merged again. The other one loses what it gained from this memory alone.'

function Merged({ memory: { id, consolidated_into }, reload }) {
  const restore = async () => {
    await call('POST', `/v1/memories/${id}/restore`)
    await reload()
  }
  return html`<${Notice}>
    <p>
      It says much the same as${' '}
      <${Link} to=${`/memories/${consolidated_into}`}>the memory that it was merged into<//>.
    </p>
    <div class="row"><${Confirmed} kind="plain" label="Restore" question=${RESTORING} act=${restore} /></div>
  <//>`
}

function Failed({ memory: { id, error }, reload }) {
  const process = async () => {
    await call('POST', `/v1/memories/${id}/reprocess`)
    await reload()
  }
  return html`<${Notice} kind="bad">
    <p dir="auto">${error ?? 'The reason is not known.'}</p>
    <div class="row"><${Act} label="Process again" act=${process} /></div>
  <//>`
}
