import type { Workspace as Found, WorkspaceSettings } from '@mneme/client'
import { useState } from 'preact/hooks'
import { navigate, useAddress } from '../address.tsx'
import { call } from '../api.ts'
import { Copyable } from '../copy.tsx'
import { change } from '../data.ts'
import { Ask, Check, Dialog, Field, Form, type Values } from '../forms.tsx'
import { Badge, Card, Facts, Head, Load, Notice, Tabs, Time } from '../parts.tsx'
import type { ViewProps } from '../views.ts'
import { Account } from './settings/account.tsx'

const TABS = { workspace: 'Workspace', account: 'Account' }

/** The chosen workspace and the account that is signed in. */
export function Settings({ session, onChanged, onWorkspace }: ViewProps) {
  const { query, set } = useAddress()
  const tab = query.tab === 'account' ? 'account' : 'workspace'
  const create = async ({ name }: Values) => {
    const { id } = await call<Found>('POST', '/v1/workspaces', { body: { name }, everywhere: true })
    onWorkspace(id)
  }
  return (
    <>
      <Head title="Settings" about={`Of the workspace \u2068${session.workspace.name}\u2069, and of your account.`}>
        <Ask label="Create a workspace" action="Create the workspace" act={create}>
          <p>It has memories, webhooks and settings of its own, and a test workspace beside it.</p>
          <Field label="Name" name="name" required dir="auto" placeholder="Support agents" />
        </Ask>
      </Head>
      <Tabs options={TABS} chosen={tab} onChoose={id => set({ tab: id === 'account' ? id : undefined })} />
      {tab === 'account' ? <Account email={session.email} /> : <Workspace {...{ session, onChanged, onWorkspace }} />}
    </>
  )
}

function Workspace({ session, onChanged, onWorkspace }: ViewProps) {
  const path = `/v1/workspaces/${session.workspace.id}`
  const [emptied, setEmptied] = useState(false)
  const patch = async (body: object) => {
    await change('PATCH', path, { body, everywhere: true })
    await onChanged()
  }
  const remove = async ({ password }: Values) => {
    const place = location.pathname
    await call('DELETE', path, { password, everywhere: true })
    // A reader who has gone elsewhere stays there, in another workspace.
    if (location.pathname === place) navigate('/')
    const other = session.workspaces.find(({ id, mode }) => mode === 'live' && id !== session.workspace.id)
    if (other) onWorkspace(other.id)
  }
  const empty = async ({ password }: Values) => {
    await change('DELETE', '/v1/memories', { password })
    setEmptied(true)
  }
  return (
    <Load<Found> path={path} everywhere>
      {data => (
        <>
          <Identity workspace={data} change={patch} />
          <Behaviour settings={data.settings} change={patch} />
          {'retention_days' in data.settings && <Retention days={data.settings.retention_days} change={patch} />}
          <Removal name={session.workspace.name} isTest={data.mode === 'test'} empty={empty} remove={remove} />
          {emptied && <Notice kind="good" text="All memories of this workspace are deleted." />}
        </>
      )}
    </Load>
  )
}

const PLANS = { free: 'Free', pro: 'Pro', scale: 'Scale', unlimited: 'Unlimited' }

const PLAN =
  'It decides which parts there are and how much of each. What a smaller plan lacks stops at once. The overview tells what is used of it.'

type Change = (body: object) => Promise<void>

/** The name and the plan of a workspace; a test twin has the plan of its workspace. */
function Identity({ workspace: { id, name, plan, mode, created_at }, change }: { workspace: Found; change: Change }) {
  const isTwin = mode === 'test'
  const send = (values: Values) => change({ name: values.name, plan: values.plan === plan ? undefined : values.plan })
  return (
    <Card title="Workspace" isStack>
      <Facts
        of={[
          ['Id', <Copyable key="id" text={id} />],
          [
            'Mode',
            <Badge key="mode" kind={isTwin ? 'info' : 'good'}>
              {mode}
            </Badge>,
          ],
          ['Created', <Time key="created" at={created_at} />],
          ['Plan', isTwin && `${plan}, as the live workspace beside it, whose name it has`],
        ]}
      />
      {!isTwin && (
        <Form send={send} action="Save" saved="The workspace is saved.">
          <Field label="Name" name="name" required dir="auto" defaultValue={name} />
          <Field label="Plan" name="plan" options={PLANS} value={plan} hint={PLAN} />
        </Form>
      )}
    </Card>
  )
}

const DAYS_MAX = 3650
const KEPT =
  'This is about permanent memories; TASK memories expire by themselves. Empty: they are kept until somebody deletes them.'

/** Sets after how many days permanent memories are deleted. A shorter time deletes, so it is asked about. */
function Retention({ days, change }: { days: number | null; change: Change }) {
  const [asked, setAsked] = useState<number>()
  const close = () => setAsked(undefined)
  const save = async (wanted: number | null) => {
    await change({ settings: { retention_days: wanted } })
    close()
  }
  const send = async ({ retention_days = '' }: Values, form: HTMLFormElement) => {
    // What is no number has no value either, and must not pass for empty.
    if (form.querySelector(':invalid')) throw new Error('Write a whole number of days, or nothing.')
    const wanted = retention_days.trim() === '' ? null : Number(retention_days)
    if (wanted !== null && (days === null || wanted < days)) setAsked(wanted)
    else await save(wanted)
  }
  const title = asked === undefined ? '' : `Delete after ${daysOf(asked)}`
  const field = { name: 'retention_days', type: 'number', min: '1', max: DAYS_MAX, step: '1', placeholder: 'Never' }
  return (
    <Card title="Retention">
      <Form send={send} action="Save the retention">
        <Field
          label="Days after their last change until memories are deleted"
          defaultValue={days ?? ''}
          hint={KEPT}
          {...field}
        />
      </Form>
      {asked !== undefined && (
        <Dialog title={title} onClose={close}>
          <p>{warningOf(asked)}</p>
          <Form send={() => save(asked)} action={title} kind="danger" onCancel={close} />
        </Dialog>
      )}
    </Card>
  )
}

const daysOf = (count: number) => (count === 1 ? '1 day' : `${count} days`)

const warningOf = (count: number) =>
  `All permanent memories of this workspace that were not changed for ${daysOf(count)} are deleted for good, the first within an hour, and from then on each that becomes as old. Searches and webhook deliveries are kept no longer either.`

type Confirmed = (values: Values) => Promise<void>
type RemovalProps = { name: string; isTest: boolean; empty: Confirmed; remove: Confirmed }

/** Deletes the memories of a workspace, or all of it. A test twin is deleted with its workspace alone. */
function Removal({ name, isTest, empty, remove }: RemovalProps) {
  const title = `“\u2068${name}\u2069${isTest ? ' (test)' : ''}”`
  return (
    <Card title="Delete" isStack>
      <p>
        All memories of this workspace can be deleted, with documents and conversations that are still being read. Its
        webhooks, templates, keys and settings stay.
      </p>
      <div class="row">
        <Ask
          label="Delete all memories"
          question={`All memories of ${title}, of all its users and agents, are deleted for good.`}
          password
          act={empty}
        />
        {!isTest && (
          <Ask label="Delete the workspace" question={`${title} is deleted for good, ${LOSS}`} password act={remove} />
        )}
      </div>
      <p class="quiet">{isTest ? WITH_LIVE : WHOLE}</p>
    </Card>
  )
}

const LOSS =
  'with its test workspace, all memories, webhooks and API keys. Agents with these keys stop working at once.'
const WITH_LIVE = 'This test workspace is deleted with the live one beside it.'
const WHOLE = 'The workspace can be deleted with all that is in it. An account keeps its last workspace.'

type Name = Exclude<keyof WorkspaceSettings, 'targets' | 'retention_days'>

type Setting = { name: Name; label: string; hint?: string; kind?: 'number' | 'flag'; field?: object }

/** Settings under the names that the API has for them; empty means none. */
const SETTINGS: readonly Setting[] = [
  {
    name: 'language',
    label: 'Language of the texts',
    hint: 'A tag such as de or pt-BR. Empty: detected for each text. After a change all memories are indexed anew in the background.',
    field: {
      placeholder: 'Detected for each text',
      pattern: '[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}',
      title: 'A language tag such as de or pt-BR',
    },
  },
  {
    name: 'timezone',
    label: 'Time zone',
    hint: 'In which times of memories and questions are read, unless a request names another.',
    field: { required: true, placeholder: 'Europe/Berlin' },
  },
  {
    name: 'uniqueness',
    label: 'A text is stored once',
    field: {
      options: { workspace: 'in the workspace', user: 'for each user' },
    },
  },
  {
    name: 'secrets',
    label: 'Keys, tokens and card numbers in texts',
    field: {
      options: { keep: 'are kept', mask: 'are masked', refuse: 'are refused, with the text' },
    },
  },
  {
    name: 'task_ttl_days',
    label: 'Days that a TASK memory lives',
    hint: 'Empty: as the service is set up (TASK_TTL).',
    kind: 'number',
    field: { min: '1', max: '3650' },
  },
  {
    name: 'daily_model_tokens',
    label: 'Tokens a day that language models may use',
    hint: 'For work in the background. Empty: no limit. 0: none.',
    kind: 'number',
    field: { min: '0' },
  },
  { name: 'consolidation', label: 'Merge memories that say nearly the same', kind: 'flag' },
  {
    name: 'conversation_instructions',
    label: 'What to keep of conversations',
    hint: 'Told to the language model, where there is one. Empty: it decides alone.',
    field: {
      rows: 3,
      maxlength: '2000',
      dir: 'auto',
      placeholder: 'Keep what customers say about our products. Leave out their health.',
    },
  },
]

const TARGETS = [
  { name: 'memories', label: 'New memories', hint: 'In a period of the overview.', step: '1' },
  { name: 'requests', label: 'Requests', hint: 'In a period of the overview.', step: '1' },
  {
    name: 'search_quality',
    label: 'Search quality',
    hint: 'Average score of searches, 0 to 1.',
    step: 'any',
    max: '1',
  },
] as const

interface BehaviourProps {
  /** Plugins that are switched off leave theirs out. */
  readonly settings: Partial<WorkspaceSettings>
  readonly change: (body: object) => Promise<void>
}

/** Settings that change what is done with memories. */
function Behaviour({ settings, change }: BehaviourProps) {
  const known = SETTINGS.filter(({ name }) => name in settings)
  const { targets } = settings
  const isWide = ({ kind, field = {} }: Setting) => kind === 'flag' || 'rows' in field
  const send = async (values: Values) => {
    const changes = Object.fromEntries(known.map(setting => [setting.name, settingOf(setting, values)]))
    const aims = targets && Object.fromEntries(TARGETS.map(({ name }) => [name, numberOf(values[`target:${name}`])]))
    await change({ settings: { ...changes, ...(aims && { targets: aims }) } })
  }
  return (
    <Card title="How memories are worked on">
      <Form send={send} action="Save the settings" saved="The settings are saved.">
        <div class="grid">
          {known
            .filter(setting => !isWide(setting))
            .map(setting => (
              <One key={setting.name} of={setting} value={settings[setting.name]} />
            ))}
        </div>
        {known.filter(isWide).map(setting => (
          <One key={setting.name} of={setting} value={settings[setting.name]} />
        ))}
        {targets && (
          <fieldset class="choice">
            <legend>Targets that the overview compares with</legend>
            <div class="grid">
              {TARGETS.map(({ name, ...field }) => (
                <Field key={name} {...NUMBER} {...field} name={`target:${name}`} defaultValue={targets[name] ?? ''} />
              ))}
            </div>
          </fieldset>
        )}
      </Form>
    </Card>
  )
}

const NUMBER = { type: 'number', min: '0', placeholder: 'None' }

function One({ of: { name, label, hint = '', kind, field = {} }, value }: { of: Setting; value: unknown }) {
  if (kind === 'flag') return <Check label={label} name={name} defaultChecked={value === true} />
  const told = (
    <>
      {hint} <code>{name}</code>
    </>
  )
  const given = 'options' in field ? { value } : { defaultValue: value ?? '' }
  const control = { ...(kind === 'number' && { type: 'number', step: '1' }), ...field, ...given, name }
  return <Field label={label} hint={told} {...(control as { name: string })} />
}

const numberOf = (text = '') => (text.trim() === '' ? null : Number(text))

function settingOf({ name, kind }: Setting, values: Values) {
  if (kind === 'flag') return values[name] !== undefined
  return kind === 'number' ? numberOf(values[name]) : values[name]?.trim() || null
}
