import { html, useRef, useState } from './library.js'

/** The title of a view, a sentence below it, and its buttons. */
export function Head({ title, about, children }) {
  return html`<header class="head">
    <div>
      <h1>${title}</h1>
      ${about && html`<p class="quiet">${about}</p>`}
    </div>
    <div class="row">${children}</div>
  </header>`
}

/**
 * A button. One that has nothing to do keeps the focus, which a browser takes from a disabled one; forms and `useAction` refuse
 * what is asked for twice.
 *
 * @param {{kind?: 'plain' | 'first' | 'danger' | 'link', isBusy?: boolean, disabled?: boolean}} props others go to the button
 */
export function Button({ kind = 'plain', isBusy = false, disabled = false, onClick, children, ...others }) {
  const isOff = isBusy || disabled
  const press = isOff ? undefined : onClick
  return html`<button type="button" class=${`button ${kind}`} aria-disabled=${isOff} aria-busy=${isBusy} onClick=${press} ...${others}>${children}</button>`
}

/**
 * What went wrong, with the fields at fault; nothing where there is no error.
 *
 * @param {{error?: Error & {details?: {path: string, message: string}[]}, labelOf?: (path: string) => string | undefined}} props
 * `labelOf` says how the page names a field
 */
export function Fault({ error, labelOf = () => undefined }) {
  if (!error) return null
  const details = error.details ?? []
  const told = details.map(({ path, message }) => html`${labelOf(path) ?? html`<code>${path}</code>`}: ${message}`)
  return html`<div class="notice bad" role="alert">
    ${
      told.length === 0
        ? html`<p>${error.message}</p>`
        : told.length === 1
          ? html`<p>${told[0]}</p>`
          : html`<ul>${told.map(each => html`<li>${each}</li>`)}</ul>`
    }
  </div>`
}

/** @param {{kind?: 'info' | 'good' | 'warn' | 'bad'}} props */
export function Notice({ kind = 'info', children }) {
  return html`<div class=${`notice ${kind}`} role="status">${children}</div>`
}

/** Shows what was loaded, or that it is being loaded, or why it was not. */
export function Loaded({ from, children }) {
  if (!from.error && from.data === undefined) return html`<p class="quiet" role="status">Loading …</p>`
  return html`
    ${
      from.error &&
      html`<div class="stack">
        <${Fault} error=${from.error} />
        ${from.error.status !== 404 && html`<div class="row"><${Button} onClick=${from.reload}>Try again<//></div>`}
      </div>`
    }
    ${from.data !== undefined && html`<div class="stack" aria-busy=${from.isLoading}>${children(from.data)}</div>`}
  `
}

/** In place of an empty list: what would be here, and how it comes here. */
export function Empty({ title, children }) {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p class="quiet">${children}</p>
  </div>`
}

export function Card({ title, children, ...others }) {
  return html`<section class="card" ...${others}>
    ${title && html`<h2>${title}</h2>`}
    ${children}
  </section>`
}

/**
 * A table whose cells are what `columns` make of each row.
 *
 * @param {{columns: {title: string, cell: (row: any) => unknown, isNumber?: boolean}[], rows: any[], keyOf?: (row: any) => string,
 * label: string}} props `label` tells what the rows are to those who cannot see the page
 */
export function Table({ columns, rows, keyOf = ({ id }) => id, label }) {
  const side = ({ isNumber }) => (isNumber ? 'number' : undefined)
  return html`<div class="scroll">
    <table aria-label=${label}>
      <thead>
        <tr>${columns.map(column => html`<th scope="col" class=${side(column)}>${column.title}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          row =>
            html`<tr key=${keyOf(row)}>${columns.map(column => html`<td class=${side(column)}>${column.cell(row)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Leads through the pages of a list. */
export function Pager({ page, pageSize, total, onPage }) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (pages === 1 && page === 1) return null
  return html`<nav class="row" aria-label="Pages">
    <${Button} disabled=${page <= 1} onClick=${() => onPage(Math.min(page - 1, pages))}>Back<//>
    <span>${page > pages ? 'Beyond the last page' : `Page ${page} of ${pages}`}, ${total.toLocaleString('en')} in all</span>
    <${Button} disabled=${page >= pages} onClick=${() => onPage(page + 1)}>Next<//>
  </nav>`
}

const STATES = {
  COMPLETED: 'good',
  SUCCEEDED: 'good',
  HIGH: 'good',
  PROCESSING: 'info',
  MEDIUM: 'info',
  PENDING: 'warn',
  FAILED: 'bad',
}

/** A word for a state, coloured by what it means; `kind` overrides the colour. */
export function Badge({ children, kind = STATES[children] ?? 'plain' }) {
  return html`<span class=${`badge ${kind}`}>${String(children).toLowerCase().replaceAll('_', ' ')}</span>`
}

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** An instant in the reader's own zone; a dash where there is none. */
export function Time({ at }) {
  if (!at) return html`<span class="quiet">–</span>`
  return html`<time datetime=${at} title=${at}>${TIME.format(new Date(at))}</time>`
}

/** A text that is shown once, or often copied, with a button that copies it. */
export function Copyable({ text, label = 'Copy' }) {
  const code = useRef(null)
  return html`<span class="copyable">
    <code ref=${code}>${text}</code>
    <${CopyButton} text=${text} label=${label} shown=${code} />
  </span>`
}

/**
 * Copies a text. Browsers let a page copy over HTTPS and on the own machine only; elsewhere it selects the text.
 *
 * @param {{text: string, label: string, shown: {current: Element}}} props `shown` is where the text stands
 */
export function CopyButton({ text, label, shown }) {
  const [done, setDone] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone('Copied')
    } catch {
      getSelection()?.selectAllChildren(shown.current)
      setDone('Selected: press Ctrl+C')
    }
    setTimeout(() => setDone(''), 3000)
  }
  return html`<${Button} kind="link" aria-live="polite" onClick=${copy}>${done || label}<//>`
}

/** Buttons that choose one of a few parts. @param {{options: {id: string, title: string}[], chosen: string, onChoose: (id: string) => void}} props */
export function Tabs({ options, chosen, onChoose }) {
  const current = id => (id === chosen ? 'true' : undefined)
  return html`<nav class="tabs" aria-label="Parts">
    ${options.map(
      ({ id, title }) =>
        html`<button type="button" key=${id} aria-current=${current(id)} onClick=${() => onChoose(id)}>${title}</button>`,
    )}
  </nav>`
}
