import { Check, Field, Form } from '../../forms.tsx'
import { html, useState } from '../../library.js'
import { Card, Notice } from '../../parts.tsx'

const numberOf = text => (text.trim() === '' ? null : Number(text))

/** Fields for numbers that may be left empty, by where they lie in the settings. */
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
]

const LIMITS = [
  {
    name: 'task_ttl_days',
    label: 'Days that a TASK memory lives',
    hint: 'Empty: as the service is set up (TASK_TTL).',
    min: '1',
    max: '3650',
  },
  {
    name: 'daily_model_tokens',
    label: 'Tokens a day that language models may use',
    hint: 'For work in the background. Empty: no limit. 0: none.',
    min: '0',
  },
]

/** Settings that change what is done with memories, as far as the plugins that they belong to are there. */
export function Behaviour({ settings, change }) {
  const [isSaved, setSaved] = useState(false)
  const targets = TARGETS.filter(({ name }) => name in (settings.targets ?? {}))
  const limits = LIMITS.filter(({ name }) => name in settings)
  const send = async values => {
    setSaved(false)
    await change({ settings: changesOf(values, settings, { targets, limits }) })
    setSaved(true)
  }
  return html`<${Card} title="How memories are worked on">
    <${Form} send=${send} action="Save the settings" onInput=${() => setSaved(false)}>
      ${'language' in settings && html`<${Language} language=${settings.language} />`}
      ${
        'consolidation' in settings &&
        html`<${Check}
          label="Merge memories that say nearly the same"
          name="consolidation"
          defaultChecked=${settings.consolidation}
        />`
      }
      ${'conversation_instructions' in settings && html`<${Instructions} text=${settings.conversation_instructions} />`}
      <div class="grid">
        ${limits.map(
          ({ name, ...limit }) =>
            html`<${Field} key=${name} name=${name} type="number" step="1" defaultValue=${settings[name] ?? ''} ...${limit} />`,
        )}
      </div>
      ${targets.length > 0 && html`<${Targets} fields=${targets} targets=${settings.targets} />`}
      ${isSaved && html`<${Notice} kind="good"><p>The settings are saved.</p><//>`}
    <//>
  <//>`
}

/** The settings in a form's values, without those that the service does not have. */
function changesOf(values, settings, { targets, limits }) {
  const changes = Object.fromEntries(limits.map(({ name }) => [name, numberOf(values[name])]))
  if ('language' in settings) changes.language = values.language.trim() || null
  if ('conversation_instructions' in settings) {
    changes.conversation_instructions = values.conversation_instructions.trim() || null
  }
  if ('consolidation' in settings) changes.consolidation = values.consolidation !== undefined
  if (targets.length > 0) {
    changes.targets = Object.fromEntries(targets.map(({ name }) => [name, numberOf(values[`target:${name}`])]))
  }
  return changes
}

function Language({ language }) {
  return html`<${Field}
    label="Language of the texts"
    name="language"
    placeholder="Detected for each text"
    pattern="[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}"
    title="A language tag such as de or pt-BR"
    defaultValue=${language ?? ''}
    hint="A tag such as de or pt-BR. Empty: detected for each text. After a change all memories are indexed anew in the background."
  />`
}

function Instructions({ text }) {
  return html`<${Field}
    label="What to keep of conversations"
    name="conversation_instructions"
    rows=${3}
    maxlength="2000"
    dir="auto"
    placeholder="Keep what customers say about our products. Leave out their health."
    defaultValue=${text ?? ''}
    hint="Told to the language model, where there is one. Empty: it decides alone."
  />`
}

function Targets({ fields, targets }) {
  return html`<fieldset class="choice">
    <legend>Targets that the overview compares with</legend>
    <div class="grid">
      ${fields.map(
        ({ name, ...field }) => html`<${Field}
          key=${name}
          name=${`target:${name}`}
          type="number"
          min="0"
          placeholder="None"
          defaultValue=${targets[name] ?? ''}
          ...${field}
        />`,
      )}
    </div>
  </fieldset>`
}
