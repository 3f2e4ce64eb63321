import { useAction } from './data.js'
import { html, useEffect, useMemo, useRef, useState } from './library.js'
import { Button, Fault } from './parts.js'
import { mayLeave, useUnsaved } from './unsaved.js'

/**
 * A field with its label. It is an `input`, or with `options` a choice, or with `rows` a text of several lines.
 *
 * @param {{label: string, name: string, hint?: string, options?: (string | {value: string, title: string})[], rows?: number}} props others,
 * as `value`, `required` or `type`, go to the control
 */
export function Field({ label, hint, options, rows, ...others }) {
  const hintId = useMemo(nextHintId, [])
  const control = hint ? { ...others, 'aria-describedby': hintId } : others
  return html`<div class="field">
    <label>
      <span>${label}</span>
      ${options ? choice(options, control) : rows ? html`<textarea rows=${rows} ...${control}></textarea>` : html`<input ...${control} />`}
    </label>
    ${hint && html`<small id=${hintId} class="quiet">${hint}</small>`}
  </div>`
}

let hints = 0

function nextHintId() {
  hints += 1
  return `hint-${hints}`
}

function choice(options, { value, ...control }) {
  const entries = options.map(option => (typeof option === 'string' ? { value: option, title: option } : option))
  return html`<select ...${control}>
    ${entries.map(entry => html`<option value=${entry.value} selected=${entry.value === value}>${entry.title}</option>`)}
  </select>`
}

/** A field that keeps what is typed when the view is drawn again, until its `value` is another one. */
export function TextField({ value = '', ...others }) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return html`<${Field} value=${typed} onInput=${event => setTyped(event.target.value)} ...${others} />`
}

/** A field for a day of those that the API takes. While a year is typed, its first digits are a day too, which changes nothing. */
export function DayField({ onChange, ...others }) {
  const change = event => event.target.validity.valid && onChange?.(event)
  return html`<${TextField} type="date" min="1900-01-01" max="2199-12-31" onChange=${change} ...${others} />`
}

/** A box that is ticked or not. */
export function Check({ label, ...control }) {
  return html`<label class="check"><input type="checkbox" ...${control} /> <span>${label}</span></label>`
}

/** The values of a form by the names of its fields, the last one where several have a name. */
export function valuesOf(form) {
  return Object.fromEntries(new FormData(form))
}

/** Words parted by commas, as categories are written. */
export function listOf(text) {
  return String(text ?? '')
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)
}

/**
 * A form whose button sends its values, and that shows what was wrong with them. A text of several lines is not left unsaved without a
 * question.
 *
 * @param {{send: (values: Record<string, any>, form: HTMLFormElement) => Promise<unknown>, action: string, kind?: string, onCancel?: () => void}} props
 * `action` names the button
 */
export function Form({ send, action, kind = 'first', onCancel, onInput, children, ...others }) {
  const { run, error, isBusy } = useAction(send)
  const unsaved = useUnsaved()
  const edits = useRef(0)
  const form = useRef(null)
  const submit = async event => {
    event.preventDefault()
    const sent = edits.current
    const isSaved = await run(valuesOf(event.target), event.target)
    if (isSaved && edits.current === sent) unsaved.forget()
  }
  const note = event => {
    onInput?.(event)
    if (!(event.target instanceof HTMLTextAreaElement)) return
    edits.current += 1
    unsaved.note(event.currentTarget)
  }
  useEffect(() => (isBusy ? askBeforeClosing() : undefined), [isBusy])
  useEffect(() => leadToFault(form.current, error), [error])
  return html`<form ref=${form} onSubmit=${submit} onInput=${note} ...${others}>
    ${children}
    <${Fault} error=${error} labelOf=${path => labelOf(controlOf(form.current, path))} />
    <div class="row end">
      ${onCancel && html`<${Button} onClick=${onCancel}>Cancel<//>`}
      <${Button} type="submit" kind=${kind} isBusy=${isBusy}>${action}<//>
    </div>
  </form>`
}

/** The control of a form, or the group of controls, whose value a fault is about: that of `memories.0.memory` may be named `memories.0`. */
function controlOf(form, path) {
  const parts = path.split('.')
  const names = parts.map((_, n) => parts.slice(0, parts.length - n).join('.'))
  return names.map(name => form?.elements.namedItem(name)).find(control => labelOf(control) !== undefined)
}

function labelOf(control) {
  const label = control?.labels?.[0] ?? control?.querySelector?.('legend')
  return label?.textContent.trim()
}

function leadToFault(form, error) {
  const control = (error?.details ?? []).map(({ path }) => controlOf(form, path)).find(Boolean)
  const first = control?.elements?.[0] ?? control
  first?.focus()
}

/** What is being sent is lost when the page is closed. @returns {() => void} ends it */
function askBeforeClosing() {
  const ask = event => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}

/**
 * A window above the page, which Escape closes.
 *
 * @param {{title: string, onClose?: () => void, mayClose?: (dialog: HTMLElement) => boolean}} props
 */
export function Dialog({ title, onClose, mayClose = mayLeave, children, ...others }) {
  const dialog = useRef(null)
  const isToStay = useRef(false)
  useEffect(() => {
    const element = dialog.current
    element.showModal()
    // Closing it gives the focus back to what had it before, unless a dialog above it keeps the page from it.
    return () => [element, ...element.querySelectorAll('dialog[open]')].reverse().forEach(open => void open.close())
  }, [])
  const ask = event => {
    isToStay.current = !mayClose(dialog.current)
    if (isToStay.current) event.preventDefault()
  }
  const close = ({ target }) => {
    // Browsers close a dialog by a second Escape, whatever the page says, and may not tell it before.
    const stays = target.isConnected && (isToStay.current || !mayClose(target))
    isToStay.current = false
    if (stays) target.showModal()
    else onClose?.()
  }
  return html`<dialog ref=${dialog} onClose=${close} onCancel=${ask} aria-label=${title} ...${others}>
    <h2>${title}</h2>
    ${children}
  </dialog>`
}

/**
 * A button that asks before it does what cannot be undone, with `password` for the account's password too.
 *
 * @param {{label: string, question: string, password?: boolean, act: (password?: string) => Promise<unknown>}} props
 */
export function Confirmed({ label, question, password = false, act, kind = 'danger', ...button }) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const send = async values => {
    await act(password ? values.password : undefined)
    close()
  }
  return html`
    <${Button} kind=${kind} onClick=${() => setAsking(true)} ...${button}>${label}<//>
    ${
      isAsking &&
      html`<${Dialog} title=${label} onClose=${close}>
        <p>${question}</p>
        <${Form} send=${send} action=${label} kind="danger" onCancel=${close}>
          ${password && html`<${Field} label="Your password" name="password" type="password" required autocomplete="current-password" />`}
        <//>
      <//>`
    }
  `
}
