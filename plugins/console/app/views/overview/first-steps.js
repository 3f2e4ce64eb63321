import { Link, ROOT } from '../../address.tsx'
import { useData } from '../../data.ts'
import { html, useRef } from '../../library.js'
import { Badge, Button, Card, CopyButton } from '../../parts.tsx'

const ORIGIN = `${location.origin}${ROOT}`

const STORE = `curl -X POST "${ORIGIN}/v1/memories" \\
  -H "X-Api-Key: $MNEME_API_KEY" -H "Content-Type: application/json" \\
  -d '{"memory": "Ada lives in Lisbon.", "user_id": "ada"}'`

const SEARCH = `curl -G "${ORIGIN}/v1/memories/search" \\
  -H "X-Api-Key: $MNEME_API_KEY" \\
  --data-urlencode "query=Where does Ada live?" -d user_id=ada`

const ENDPOINT = `${ORIGIN}/v1/mcp?user_id=me`
const CONNECT = `claude mcp add --transport http mneme "${ENDPOINT}" --header "X-Api-Key: $MNEME_API_KEY"`

/** Leads to the first memory of a workspace that has none. */
export function FirstSteps({ session, onLook }) {
  const keys = useData('/v1/api-keys', { page_size: 100 }, { everywhere: true })
  const hasKey = (keys.data?.data ?? []).some(key => worksIn(session, key))
  return html`
    <p>This workspace has no memories yet. Four steps lead to the first ones.</p>
    <ol class="steps">
      <${Step} title="Make an API key" isDone=${hasKey}>
        <p>
          Programs and agents send a key with each request. <${Link} to="/keys">Make one for this workspace<//>, and
          keep it in the variable that the commands below read:
        </p>
        <${Snippet} text="export MNEME_API_KEY=…" label="Copy the line" />
      <//>
      <${Step} title="Store a first memory">
        <p>Send it with the key, or <${Link} to="/memories">add one by hand<//>.</p>
        <${Snippet} text=${STORE} label="Copy the request" />
      <//>
      <${Step} title="Find it again">
        <p>A search needs no word of the memory: it also goes by meaning.</p>
        <${Snippet} text=${SEARCH} label="Copy the search" />
      <//>
      <${Step} title="Connect an agent">
        <p>Agents that speak the Model Context Protocol get the memory as tools. For Claude Code:</p>
        <${Snippet} text=${CONNECT} label="Copy the command" />
      <//>
    </ol>
    <div class="row">
      <${Button} kind="first" onClick=${onLook}>Look for memories<//>
      <a href=${`${ROOT}/docs`}>Read the API reference</a>
    </div>
  `
}

/** Tells whether a key works in the workspace: test keys name the live one, and work in the test twin beside it. */
function worksIn({ workspace, workspaces }, { workspace_id, workspace_ids, mode }) {
  const live = workspaces.find(({ test_workspace_id }) => test_workspace_id === workspace.id) ?? workspace
  return mode === workspace.mode && [workspace_id, ...workspace_ids].includes(live.id)
}

function Step({ title, isDone = false, children }) {
  return html`<li>
    <${Card}>
      <h2>${title} ${isDone && html`<${Badge} kind="good">done<//>`}</h2>
      ${children}
    <//>
  </li>`
}

/** Shows a command with a button that copies it. */
function Snippet({ text, label }) {
  const command = useRef(null)
  return html`<div class="snippet">
    <pre tabindex="0" ref=${command}>${text}</pre>
    <${CopyButton} text=${text} label=${label} shown=${command} />
  </div>`
}
