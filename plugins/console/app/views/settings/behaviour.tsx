import type { WorkspaceSettings } from '@mneme/client'
import { Check, Field, Form, type Values } from '../../forms.tsx'
import { Card } from '../../parts.tsx'

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
export function Behaviour({ settings, change }: BehaviourProps) {
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
