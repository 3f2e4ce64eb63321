import type { Connection } from '@mneme/client'
import { call } from '../api.ts'
import { Ask } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { type Column, Head, Time } from '../parts.tsx'
import type { ViewProps } from '../views.ts'

/** Shows the applications that were let into the workspace without a key, and shuts them out. */
export function Connections({ session }: ViewProps) {
  const connections = usePage<List<Connection>>('/v1/connections')
  const remove = async (id: string) => {
    await call('DELETE', `/v1/connections/${id}`)
    await connections.reload()
  }
  const columns: Column<Connection>[] = [
    ['Application', ({ client_name: name, redirect_host: host }) => <Application name={name} host={host} />],
    ['Let in by', ({ account }) => <bdi>{account ?? 'An account that is gone'}</bdi>],
    ['Permissions', of => <Permissions of={of} />],
    ['Last used', ({ last_used_at, created_at }) => <Time at={last_used_at ?? created_at} />],
    ['', ({ id, client_name: name }) => <Removal name={name} act={() => remove(id)} />],
  ]
  return (
    <>
      <Head
        title="Connected apps"
        about={`Applications that use the workspace \u2068${session.workspace.name}\u2069 without a key. They end after 30 days without use.`}
      />
      <Listed label="Connected apps" from={connections} columns={columns} none={NONE} />
    </>
  )
}

const NONE =
  'No connected apps. Give an application that speaks MCP the address of this service with /v1/mcp, and it asks here to be let in.'

function Application({ name, host }: { name: string; host: string }) {
  return (
    <>
      <bdi>{name}</bdi>
      <br />
      <small class="quiet">{host}</small>
    </>
  )
}

function Permissions({ of: { permissions, user_id } }: { of: Connection }) {
  return (
    <>
      <Names names={permissions} />
      {user_id && <small>{`only for \u2068${user_id}\u2069`}</small>}
    </>
  )
}

/** How many names there are, and which. */
export function Names({ names, told = String(names.length) }: { names: readonly string[]; told?: string }) {
  return (
    <details>
      <summary>{told}</summary>
      <ul class="plain">
        {names.map(name => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Removal({ name, act }: { name: string; act: () => Promise<void> }) {
  const question = `\u2068${name}\u2069 reaches this workspace no longer, until somebody lets it in again.`
  return <Ask label="Disconnect" aria-label={`Disconnect ${name}`} kind="plain" question={question} act={act} />
}
