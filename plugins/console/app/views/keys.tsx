import type { ApiKey, ApiKeyWithSecret, ListPermissionsResult } from '@mneme/client'
import { useRef, useState } from 'preact/hooks'
import { Copyable, ShownOnce } from '../copy.tsx'
import { change, type Loading, useData } from '../data.ts'
import { Ask, Boxes, boxOf, dayOf, Field, ifOther, tickedIn, type Values } from '../forms.tsx'
import { type List, Listed, usePage } from '../paged.tsx'
import { Badge, Button, type Column, DropDown, Head, Loaded, Time, Two } from '../parts.tsx'
import { ROOT } from '../place.ts'
import type { Session } from '../session.ts'
import type { ViewProps } from '../views.ts'
import { Names } from './connections.tsx'

type Permissions = Loading<ListPermissionsResult>

/** All API keys of the account, in whichever workspace they work. */
export function Keys({ session }: ViewProps) {
  const keys = usePage<List<ApiKey>>('/v1/api-keys', {}, { everywhere: true })
  const permissions = useData<ListPermissionsResult>('/v1/api-keys/permissions', {}, { everywhere: true })
  const [shown, setShown] = useState<readonly ApiKeyWithSecret[]>([])
  const hide = (id: string) => setShown(before => before.filter(key => key.id !== id))
  const show = (key: ApiKeyWithSecret) => setShown(before => [...before.filter(({ id }) => id !== key.id), key])
  const make = async (values: Values, form: HTMLFormElement) => show(await create(values, form))
  const placeOf = (id: string) => session.workspaces.find(workspace => workspace.id === id)?.name ?? id
  const columns: Column<ApiKey>[] = [
    ['Name', nameOf],
    [
      'Workspaces',
      ({ workspace_id, workspace_ids }) => <Places names={[workspace_id, ...workspace_ids].map(placeOf)} />,
    ],
    ['Permissions', key => <Granted of={key} all={namesOf(permissions)} />],
    ['Last used', ({ last_used_at: at }) => (at ? <Time at={at} /> : 'Never')],
    ['Expires', expiryOf],
    ['', key => <Actions of={key} {...{ session, permissions, show, hide }} />],
  ]
  return (
    <>
      <Head
        title="API keys"
        about="Agents and programs call the API with these. The keys of all your workspaces are listed."
      >
        <Ask label="Create a key" action="Create the key" kind="first" act={make}>
          <Fields session={session} permissions={permissions} />
        </Ask>
      </Head>
      {shown.map(key => (
        <Secret key={key.key} of={key} onSeen={() => hide(key.id)} />
      ))}
      <Listed label="API keys" from={keys} columns={columns} none={NONE} />
    </>
  )
}

const NONE = 'No API keys. An agent needs a key to store and find memories. Create one with the button above.'

function Secret({ of: key, onSeen }: { of: ApiKeyWithSecret; onSeen: () => void }) {
  const title = `Copy the key of “\u2068${key.name}\u2069”`
  return (
    <ShownOnce title={title} text={key.key} label="Copy the key" onSeen={onSeen}>
      <p>This request tries it:</p>
      <Copyable text={trialOf(key)} label="Copy the request" />
    </ShownOnce>
  )
}

/** A request that the key is allowed to make, whatever its permissions are. */
function trialOf({ key, permissions }: ApiKeyWithSecret): string {
  const path = permissions.includes('memory.read') ? '/v1/memories' : '/v1/api-keys/permissions'
  return `curl -s ${location.origin}${ROOT}${path} -H 'X-Api-Key: ${key}'`
}

/** The names of all permissions, as far as they are loaded. */
const namesOf = ({ data }: Permissions) =>
  (data?.groups ?? []).flatMap(group => group.permissions.map(({ name }) => name))

function nameOf({ name, prefix, mode, user_id, agent_id }: ApiKey) {
  const bound = user_id ?? agent_id
  const text = (
    <>
      <bdi>{name}</bdi> {mode === 'test' && <Badge kind="info">test</Badge>}
    </>
  )
  return <Two text={text} below={`${prefix}…${bound ? ` only for \u2068${bound}\u2069` : ''}`} />
}

const Places = ({ names: [first, ...others] }: { names: readonly string[] }) => (
  <>
    <bdi>{first}</bdi>
    {others.length > 0 && <Names names={others} told={`and ${others.length} more`} />}
  </>
)

function Granted({ of: { permissions }, all }: { of: ApiKey; all: readonly string[] }) {
  const hasAll = all.length > 0 && all.every(name => permissions.includes(name))
  return <Names names={permissions} told={hasAll ? 'All' : `${permissions.length} of ${all.length || '…'}`} />
}

const SOON_MS = 7 * 86_400_000

function expiryOf({ expires_at: at }: ApiKey) {
  const left = Date.parse(at ?? '') - Date.now()
  const below = left <= 0 ? <Badge kind="bad">Expired</Badge> : left < SOON_MS && <Badge kind="warn">Soon</Badge>
  return <Two text={at ? <Time at={at} /> : 'Never'} below={below} />
}

interface ActionsProps {
  readonly of: ApiKey
  readonly session: Session
  readonly permissions: Permissions
  readonly show: (key: ApiKeyWithSecret) => void
  readonly hide: (id: string) => void
}

function Actions({ of: key, session, permissions, show, hide }: ActionsProps) {
  const path = `/v1/api-keys/${key.id}`
  const name = `“\u2068${key.name}\u2069”`
  const edit = (values: Values, form: HTMLFormElement) =>
    change('PATCH', path, { body: changesOf(key, values, form), everywhere: true })
  const revoke = async () => {
    await change('DELETE', path, { everywhere: true })
    hide(key.id)
  }
  const rotate = async () => show(await change('POST', `${path}/rotate`, { body: {}, everywhere: true }))
  const named = (label: string) => ({ label, 'aria-label': `${label} ${key.name}` })
  return (
    <DropDown icon="more" name={`Actions for ${key.name}`}>
      <Ask {...named('Edit')} title="Edit the key" action="Save the key" act={edit}>
        <Fields given={key} session={session} permissions={permissions} />
      </Ask>
      <Ask {...named('Rotate')} kind="plain" question={`${name} gets a new secret. ${ROTATION}`} act={rotate} />
      <Ask {...named('Revoke')} question={`${name} stops working within 5 seconds, for good.`} act={revoke} />
    </DropDown>
  )
}

const ROTATION =
  'The old one stops working within 5 seconds. To change over without a gap, create a second key instead, and revoke this one later.'

const CHOOSE_SOME = 'Choose at least one permission.'

function create({ name, mode, workspace_id, last_day }: Values, form: HTMLFormElement): Promise<ApiKeyWithSecret> {
  const permissions = tickedIn(form, 'permissions', CHOOSE_SOME)
  const workspace_ids = tickedIn(form, 'workspace_ids').filter(id => id !== workspace_id)
  const body = { name, mode, workspace_id, permissions, workspace_ids, expires_at: endOf(last_day) }
  return change('POST', '/v1/api-keys', { body, everywhere: true })
}

/**
 * Leaves out what is the same: a key with all permissions stays one with all that there ever are. Workspaces and permissions of the
 * key for which there is no box stay too, as those of a plugin that is switched off.
 */
function changesOf(given: ApiKey, { name, last_day }: Values, form: HTMLFormElement) {
  const merged = (box: string, before: readonly string[], complaint?: string) => {
    const offered = [...form.querySelectorAll<HTMLInputElement>(`[name=${box}]`)].map(({ value }) => value)
    return ifOther([...tickedIn(form, box, complaint), ...before.filter(each => !offered.includes(each))], before)
  }
  return {
    name,
    permissions: merged('permissions', given.permissions, CHOOSE_SOME),
    workspace_ids: merged('workspace_ids', given.workspace_ids),
    expires_at: last_day === expiryDayOf(given) ? undefined : endOf(last_day),
  }
}

/** The last moment of a day in the reader's own zone; null where no day is given. */
const endOf = (day = '') => (day === '' ? null : new Date(`${day}T23:59:59`).toISOString())

const expiryDayOf = ({ expires_at }: ApiKey) => (expires_at ? dayOf(expires_at) : '')

const MODES = { live: 'Live', test: 'Test' }

type FieldsProps = { given?: ApiKey; session: Session; permissions: Permissions }

/** The fields of a new key, or of the one that is given. */
function Fields({ given, session: { workspace, workspaces }, permissions }: FieldsProps) {
  const live = workspaces.filter(({ mode }) => mode === 'live')
  const own = workspaces.find(({ test_workspace_id }) => test_workspace_id === workspace.id) ?? workspace
  const [workspaceId, setWorkspaceId] = useState(given?.workspace_id ?? own.id)
  const further = live.filter(({ id }) => id !== workspaceId).map(({ id, name }) => ({ value: id, label: name }))
  const options = live.map(({ id, name }) => [id, name] as const)
  const last = { min: given ? undefined : dayOf(Date.now()), defaultValue: given && expiryDayOf(given) }
  return (
    <>
      <Field
        label="Name"
        name="name"
        required
        dir="auto"
        placeholder="Production agent"
        defaultValue={given?.name ?? ''}
      />
      {!given && (
        <Field label="Workspace" name="workspace_id" options={options} value={workspaceId} onValue={setWorkspaceId} />
      )}
      {!given && (
        <Field
          label="Mode"
          name="mode"
          options={MODES}
          value={workspace.mode}
          hint="A test key works on the test workspace beside the live one, with memories of its own."
        />
      )}
      <Field
        label="Last day on which it works"
        name="last_day"
        type="date"
        hint="Without a day it works until it is revoked."
        {...last}
      />
      {further.length > 0 && (
        <Boxes
          legend="Further workspaces it may use"
          name="workspace_ids"
          options={further}
          chosen={given?.workspace_ids ?? []}
        />
      )}
      <Loaded from={permissions}>{({ groups }) => <Choice groups={groups} chosen={given?.permissions ?? []} />}</Loaded>
    </>
  )
}

function Choice({ groups, chosen }: { groups: ListPermissionsResult['groups']; chosen: readonly string[] }) {
  const place = useRef<HTMLFieldSetElement>(null)
  const tick = (accepts: (name: string) => boolean) => {
    for (const box of place.current?.querySelectorAll('input') ?? []) box.checked = accepts(box.value)
  }
  return (
    <fieldset class="choice" ref={place}>
      <legend>Permissions</legend>
      <div class="row">
        <Button label="Choose all" onClick={() => tick(() => true)} />
        <Button label="Choose read only" onClick={() => tick(name => name.endsWith('.read'))} />
        <Button label="Choose none" onClick={() => tick(() => false)} />
      </div>
      {groups.map(({ name, permissions }) => (
        <Boxes key={name} legend={name} name="permissions" options={permissions.map(boxOf)} chosen={chosen} />
      ))}
    </fieldset>
  )
}
