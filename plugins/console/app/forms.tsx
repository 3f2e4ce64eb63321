import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { useAction } from './data.ts'
import { Button, type ButtonProps, Fault, Notice } from './parts.tsx'
import { mayLeave, useUnsaved } from './unsaved.ts'

/** Titles by the values of a choice, or both in pairs where a value may be a number, which a record puts first. */
export type Options = Readonly<Record<string, string>> | readonly (readonly [value: string, title: string])[]

const pairsOf = (options: Options) => (Array.isArray(options) ? options : Object.entries(options)) as [string, string][]

type FieldProps = {
  label: ComponentChildren
  name: string
  hint?: ComponentChildren
  options?: Options
  rows?: number
} & Omit<
  JSX.InputHTMLAttributes & JSX.SelectHTMLAttributes & JSX.TextareaHTMLAttributes,
  'ref' | 'label' | 'type' | `on${string}`
> & {
    type?: string
    onChange?: (event: JSX.TargetedEvent<HTMLInputElement>) => void
    onInput?: (event: JSX.TargetedEvent<HTMLInputElement>) => void
    onFocus?: (event: JSX.TargetedEvent<HTMLInputElement>) => void
    /** Gets the value once it is chosen, or left. */
    onValue?: (value: string) => void
    /** Gets the value with each letter. */
    onTyped?: (value: string) => void
  }

/**
 * A field with its label. It is an `input`, or with `options` a choice, or with `rows` a text of several lines. All else goes to
 * the control.
 */
export function Field({ label, hint, options, rows, onValue, onTyped, ...others }: FieldProps) {
  const fieldId = useId()
  const hintId = `${fieldId}-hint`
  const id = others.id ?? fieldId
  const valued = (tell: (value: string) => void) => (event: JSX.TargetedEvent<HTMLInputElement>) =>
    tell(event.currentTarget.value)
  const control: object = {
    id,
    ...(onValue && { onChange: valued(onValue) }),
    ...(onTyped && { onInput: valued(onTyped) }),
    ...others,
    ...(hint && { 'aria-describedby': hintId }),
  }
  return (
    <div class="field">
      <label for={String(id)}>{label}</label>
      {options ? (
        <Select options={options} {...control} />
      ) : rows ? (
        <textarea rows={rows} {...control} />
      ) : (
        <input {...control} />
      )}
      {hint && (
        <small id={hintId} class="quiet">
          {hint}
        </small>
      )}
    </div>
  )
}

type SelectProps = { options: Options; value?: string } & Omit<JSX.SelectHTMLAttributes, 'value'>

/** Lets one of a few be chosen. */
export const Select = ({ options, value, ...control }: SelectProps) => (
  <select {...control}>
    {pairsOf(options).map(([each, title]) => (
      <option key={each} value={each} selected={each === value}>
        {title}
      </option>
    ))}
  </select>
)

/** A field that keeps what is typed when the view is drawn again, until its `value` is another one. */
export function TextField({ value = '', ...others }: FieldProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return <Field value={typed} onTyped={setTyped} {...others} />
}

/** A field for a day of those that the API takes. While a year is typed, its first digits are a day too, which changes nothing. */
export function DayField({ onChange, ...others }: FieldProps) {
  const change = (event: JSX.TargetedEvent<HTMLInputElement>) => {
    if (event.currentTarget.validity.valid) onChange?.(event)
  }
  return <TextField type="date" min="1900-01-01" max="2199-12-31" onChange={change} {...others} />
}

/** The day of an instant in the reader's own zone, as a field for days has it. */
export const dayOf = (instant: number | string): string => new Date(instant).toLocaleDateString('sv')

/** Asks for the user to whom new memories belong. */
export const UserField = () => (
  <Field label="User" name="user_id" placeholder="default" dir="auto" hint="The memories belong to this user." />
)

/** Asks for categories, which `listOf` reads. */
export const CategoriesField = (props: Partial<FieldProps>) => (
  <Field label="Categories" name="categories" dir="auto" hint="Put commas between several." {...props} />
)

type CheckProps = { label: ComponentChildren; onTicked?: (isTicked: boolean) => void } & JSX.InputHTMLAttributes

/** A box that is ticked or not. */
export const Check = ({ label, onTicked, ...control }: CheckProps) => (
  <label class="check">
    <input type="checkbox" onChange={event => onTicked?.(event.currentTarget.checked)} {...control} />{' '}
    <span>{label}</span>
  </label>
)

/** What a form's fields hold, by their names. Files are taken from the form itself. */
export type Values = Record<string, string>

/** The values of a form by the names of its fields, the last one where several have a name. */
export const valuesOf = (form: HTMLFormElement): Values => Object.fromEntries(new FormData(form)) as Values

/** Makes a form of the fields that are filled in, and of the file after them, as the service reads them in this order. */
export function formOf(values: Values, file?: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && value.trim() !== '') form.append(name, value.trim())
  if (file) form.append('file', file, file.name)
  return form
}

type AskingProps = { onAsk: (values: Values) => void } & Omit<JSX.FormHTMLAttributes<HTMLFormElement>, 'onSubmit'>

/** A form that asks the page for something, and sends nothing: its values come without the spaces around them. */
export function Asking({ onAsk, children, ...others }: AskingProps) {
  const ask = (event: JSX.TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const values = Object.entries(valuesOf(event.currentTarget)).map(([name, value]) => [name, value.trim()])
    onAsk(Object.fromEntries(values))
  }
  return (
    <form onSubmit={ask} {...others}>
      {children}
    </form>
  )
}

/** Words parted by commas, as categories are written. */
export function listOf(text: string | null | undefined): string[] {
  return String(text ?? '')
    .split(',')
    .map(word => word.trim())
    .filter(Boolean)
}

type FormProps = {
  send: (values: Values, form: HTMLFormElement) => Promise<unknown>
  /** The name of its button. */
  action: string
  /** It is said once the values are saved, until another is typed. */
  saved?: string
  kind?: 'first' | 'danger' | 'plain'
  onCancel?: () => void
  onInput?: (event: JSX.TargetedInputEvent<HTMLFormElement>) => void
  children?: ComponentChildren
} & Omit<JSX.FormHTMLAttributes<HTMLFormElement>, 'action' | 'onInput' | 'onCancel'>

/**
 * A form whose button sends its values, and that shows what was wrong with them. A text of several lines is not left unsaved without a
 * question.
 */
export function Form({ send, action, saved, kind = 'first', onCancel, onInput, children, ...others }: FormProps) {
  const { run, error, isBusy } = useAction(send)
  const [isShown, setShown] = useState(false)
  const unsaved = useUnsaved()
  const edits = useRef(0)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: JSX.TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const sent = edits.current
    const { currentTarget } = event
    setShown(false)
    const isSaved = await run(valuesOf(currentTarget), currentTarget)
    setShown(isSaved && edits.current === sent)
    if (isSaved && edits.current === sent) unsaved.forget()
  }
  const note = (event: JSX.TargetedInputEvent<HTMLFormElement>) => {
    onInput?.(event)
    setShown(false)
    if (!(event.target instanceof HTMLTextAreaElement)) return
    edits.current += 1
    unsaved.note(event.currentTarget)
  }
  useEffect(() => (isBusy ? askBeforeClosing() : undefined), [isBusy])
  useEffect(() => leadToFault(form.current, error), [error])
  return (
    <form ref={form} onSubmit={submit} onInput={note} {...others}>
      {children}
      <Fault error={error} labelOf={path => labelOf(controlOf(form.current, path))} />
      {saved && isShown && <Notice kind="good" text={saved} />}
      <div class="row end">
        {onCancel && <Button label="Cancel" onClick={onCancel} />}
        <Button type="submit" label={action} kind={kind} isBusy={isBusy} />
      </div>
    </form>
  )
}

type Control = ReturnType<HTMLFormControlsCollection['namedItem']>

/** The control of a form, or the group of controls, whose value a fault is about: that of `memories.0.memory` may be named `memories.0`. */
function controlOf(form: HTMLFormElement | null, path: string): Control | undefined {
  const parts = path.split('.')
  const names = parts.map((_, n) => parts.slice(0, parts.length - n).join('.'))
  return names.map(name => form?.elements.namedItem(name)).find(control => labelOf(control) !== undefined)
}

function labelOf(control: Control | undefined): string | undefined {
  if (!(control instanceof Element)) return undefined
  const labels: unknown = Reflect.get(control, 'labels')
  const label = labels instanceof NodeList ? labels[0] : undefined
  return (label ?? control.querySelector('legend'))?.textContent?.trim()
}

function leadToFault(form: HTMLFormElement | null, error: Error | undefined): void {
  const details: { path: string }[] = Reflect.get(error ?? {}, 'details') ?? []
  const control = details.map(({ path }) => controlOf(form, path)).find(Boolean)
  const first = control instanceof HTMLFieldSetElement ? control.elements[0] : control
  if (first instanceof HTMLElement) first.focus()
}

/** What is being sent is lost when the page is closed. @returns ends it */
function askBeforeClosing(): () => void {
  const ask = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}

type DialogProps = {
  title: string
  onClose?: (() => void) | undefined
  mayClose?: (dialog: HTMLDialogElement) => boolean
  children?: ComponentChildren
} & Omit<JSX.HTMLAttributes<HTMLDialogElement>, 'title' | 'onClose'>

/** A window above the page, which Escape closes. */
export function Dialog({ title, onClose, mayClose = mayLeave, children, ...others }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isToStay = useRef(false)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closing it gives the focus back to what had it before, unless a dialog above it keeps the page from it.
    return () => {
      const above = element?.querySelectorAll<HTMLDialogElement>('dialog[open]') ?? []
      for (const open of [...above].reverse()) open.close()
      element?.close()
    }
  }, [])
  const ask = (event: JSX.TargetedEvent<HTMLDialogElement>) => {
    isToStay.current = !mayClose(event.currentTarget)
    if (isToStay.current) event.preventDefault()
  }
  const close = ({ currentTarget }: JSX.TargetedEvent<HTMLDialogElement>) => {
    // Browsers close a dialog by a second Escape, whatever the page says, and may not tell it before.
    const stays = currentTarget.isConnected && (isToStay.current || !mayClose(currentTarget))
    isToStay.current = false
    if (stays) currentTarget.showModal()
    else onClose?.()
  }
  return (
    <dialog ref={dialog} onClose={close} onCancel={ask} aria-label={title} {...others}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

type AskProps = {
  /** The name of the button, and of the dialog and its button unless they have others. */
  label: string
  title?: string
  action?: string
  /** What cannot be undone is asked about. */
  question?: ComponentChildren
  /** It asks for the account's password too. */
  password?: boolean
  act: (values: Values, form: HTMLFormElement) => Promise<unknown>
  children?: ComponentChildren
} & Omit<ButtonProps, 'label' | 'title' | 'action'>

/** A button that asks before it acts: whether it shall, or for the values of fields. */
export function Ask({ label, title = label, action = label, question, password, act, children, ...button }: AskProps) {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const send = async (values: Values, form: HTMLFormElement) => {
    await act(values, form)
    close()
  }
  const isLoss = question !== undefined
  return (
    <>
      <Button kind={isLoss ? 'danger' : 'plain'} label={label} onClick={() => setAsking(true)} {...button} />
      {isAsking && (
        <Dialog title={title} onClose={close}>
          {isLoss && <p>{question}</p>}
          <Form send={send} action={action} kind={isLoss ? 'danger' : 'first'} onCancel={close}>
            {children}
            {password && (
              <Field label="Your password" name="password" type="password" required autocomplete="current-password" />
            )}
          </Form>
        </Dialog>
      )}
    </>
  )
}

/** A button that does its work at once, and shows why it could not. */
export function Act({ work, ...button }: { work: () => Promise<unknown> } & ButtonProps) {
  const { run, error, isBusy } = useAction(work)
  return (
    <>
      <Button isBusy={isBusy} onClick={() => run()} {...button} />
      <Fault error={error} />
    </>
  )
}

type Box = { value: string; label: ComponentChildren }

type BoxesProps = {
  legend: ComponentChildren
  name: string
  options: readonly Box[]
  chosen?: readonly string[]
  children?: ComponentChildren
}

/** Boxes of one name, of which any number is ticked. */
export const Boxes = ({ legend, name, options, chosen = [], children }: BoxesProps) => (
  <fieldset class="choice">
    <legend>{legend}</legend>
    {children}
    {options.map(({ value, label }) => (
      <Check key={value} name={name} value={value} label={label} defaultChecked={chosen.includes(value)} />
    ))}
  </fieldset>
)

/** A permission by what it allows, and by its name in the API. */
export const boxOf = ({ name, description }: { name: string; description: string }) => ({
  value: name,
  label: (
    <>
      {description} <code class="quiet">{name}</code>
    </>
  ),
})

/** The values of the boxes that are ticked. @throws what is given where there are none */
export function tickedIn(form: HTMLFormElement, name: string, complaint?: string): string[] {
  const ticked = new FormData(form).getAll(name).map(String)
  if (complaint && ticked.length === 0) throw new Error(complaint)
  return ticked
}

/** What is left out of a PATCH, as it is the same in whatever order. */
export const ifOther = (some: string[], others: readonly string[]): string[] | undefined =>
  some.length === others.length && some.every(name => others.includes(name)) ? undefined : some

/** Fields that narrow a list down; the address keeps them, and each takes effect when it is left. */
export function Narrow({ label, fields }: { label: string; fields: readonly Omit<FieldProps, 'value' | 'onValue'>[] }) {
  const { query, set } = useAddress()
  return (
    <Asking class="inline" aria-label={label} onAsk={() => undefined}>
      {fields.map(({ name, ...field }) => {
        const given = { name, value: query[name] ?? '', onValue: (value: string) => set({ [name]: value.trim() }) }
        const control = { ...field, ...given } as FieldProps
        return field.options ? <Field key={name} {...control} /> : <TextField key={name} dir="auto" {...control} />
      })}
    </Asking>
  )
}
