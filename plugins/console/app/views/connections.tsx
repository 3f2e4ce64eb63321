import type { Connection } from '@mneme/client'
import { change } from '../data.ts'
import { Ask } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { type Column, Head, Time, Two } from '../parts.tsx'
import type { ViewProps } from '../views.ts'

/** Shows the applications that were let into the workspace without a key, and shuts them out. */
export function Connections({ session }: ViewProps) {
  const connections = usePage<List<Connection>>('/v1/connections')
  return (
    <>
      <Head
        title="Connected apps"
        about={`Applications that use the workspace \u2068${session.workspace.name}\u2069 without a key. They end after 30 days without use.`}
      />
      <Listed label="Connected apps" from={connections} columns={COLUMNS} none={NONE} />
    </>
  )
}

const NONE =
  'No connected apps. Give an application that speaks MCP the address of this service with /v1/mcp, and it asks here to be let in.'

const COLUMNS: readonly Column<Connection>[] = [
  ['Application', ({ client_name, redirect_host }) => <Two text={<bdi>{client_name}</bdi>} below={redirect_host} />],
  ['Let in by', ({ account }) => <bdi>{account ?? 'An account that is gone'}</bdi>],
  [
    'Permissions',
    ({ permissions: names, user_id }) => (
      <Two text={<Names names={names} />} below={user_id && `only for \u2068${user_id}\u2069`} />
    ),
  ],
  ['Last used', ({ last_used_at, created_at }) => <Time at={last_used_at ?? created_at} />],
  ['', removal],
]

/** How many names there are, and which. */
export const Names = ({ names, told = String(names.length) }: { names: readonly string[]; told?: string }) => (
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

function removal({ id, client_name: name }: Connection) {
  const question = `\u2068${name}\u2069 reaches this workspace no longer, until somebody lets it in again.`
  const act = () => change('DELETE', `/v1/connections/${id}`)
  return <Ask label="Disconnect" aria-label={`Disconnect ${name}`} kind="plain" question={question} act={act} />
}
