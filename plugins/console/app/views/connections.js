import { call } from '../api.ts'
import { Confirmed } from '../forms.tsx'
import { html } from '../library.js'
import { Paged, usePage } from '../paged.tsx'
import { Empty, Head, Table, Time } from '../parts.tsx'

/** Shows the applications that were let into the workspace without a key, and shuts them out. */
export function Connections({ session }) {
  const connections = usePage('/v1/connections')
  const columns = [
    {
      title: 'Application',
      cell: ({ client_name, redirect_host }) =>
        html`<bdi>${client_name}</bdi><br /><span class="quiet" dir="ltr">${redirect_host}</span>`,
    },
    {
      title: 'Let in by',
      cell: ({ account }) => html`<span dir="auto">${account ?? 'An account that is gone'}</span>`,
    },
    { title: 'Permissions', cell: connection => html`<${Permissions} of=${connection} />` },
    {
      title: 'Last used',
      cell: ({ last_used_at, created_at }) => html`<${Time} at=${last_used_at ?? created_at} />`,
    },
    { title: 'Actions', cell: connection => html`<${Removal} of=${connection} reload=${connections.reload} />` },
  ]
  return html`
    <${Head}
      title="Connected apps"
      about=${html`Applications that use the workspace <b dir="auto">${session.workspace.name}</b> without a key. They end after 30 days without use.`}
    />
    <${Paged} from=${connections} none=${html`<${None} />`}>
      ${({ data }) => html`<${Table} label="Connected apps" columns=${columns} rows=${data} />`}
    <//>
  `
}

function Permissions({ of: { permissions, user_id: userId } }) {
  return html`<details>
      <summary>${permissions.length}</summary>
      <ul class="plain">${permissions.map(name => html`<li key=${name}><code>${name}</code></li>`)}</ul>
    </details>
    ${userId && html`only for <b dir="auto">${userId}</b>`}`
}

function Removal({ of: { id, client_name: name }, reload }) {
  const remove = async () => {
    await call('DELETE', `/v1/connections/${id}`)
    await reload()
  }
  const question = `\u2068${name}\u2069 reaches this workspace no longer, until somebody lets it in again.`
  return html`<${Confirmed} label="Disconnect" aria-label=${`Disconnect ${name}`} question=${question} act=${remove} />`
}

function None() {
  return html`<${Empty} title="No connected apps">
    Give an application that speaks MCP the address of this service with /v1/mcp, and it asks here to be let in.
  <//>`
}
