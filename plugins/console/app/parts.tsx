import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { Link } from './address.tsx'
import type { FieldFault } from './api.ts'
import { type DataOptions, type Loading, useData } from './data.ts'
import { nameDocument } from './document-title.ts'
import { Icon } from './icons.tsx'

type HeadProps = { title: string; about?: ComponentChildren; children?: ComponentChildren }

/** The title of a view, a sentence below it, and its buttons. */
export function Head({ title, about, children }: HeadProps) {
  useEffect(() => nameDocument(title), [title])
  return (
    <header class="head">
      <div>
        <h1 dir="auto" class="wrap">
          {title}
        </h1>
        {about && (
          <p class="quiet" dir="auto">
            {about}
          </p>
        )}
      </div>
      <div class="row">{children}</div>
    </header>
  )
}

export type ButtonProps = {
  kind?: 'plain' | 'first' | 'danger' | 'link' | 'icon'
  isBusy?: boolean
  disabled?: boolean
  icon?: string
  label?: ComponentChildren
} & JSX.ButtonHTMLAttributes

/**
 * A button. One that has nothing to do keeps the focus, which a browser takes from a disabled one; forms and `useAction` refuse
 * what is asked for twice.
 */
export function Button({
  kind = 'plain',
  isBusy = false,
  disabled = false,
  icon,
  onClick,
  label,
  ...others
}: ButtonProps) {
  const isOff = isBusy || disabled
  const press = isOff ? undefined : onClick
  return (
    <button type="button" class={`button ${kind}`} aria-disabled={isOff} aria-busy={isBusy} {...others} onClick={press}>
      {icon && <Icon name={icon} />}
      {label}
    </button>
  )
}

interface FaultProps {
  readonly error?: (Error & { readonly details?: readonly FieldFault[] }) | undefined
  /** Says how the page names a field. */
  readonly labelOf?: (path: string) => string | undefined
}

/** What went wrong, with the fields at fault; nothing where there is no error. */
export function Fault({ error, labelOf = () => undefined }: FaultProps) {
  if (!error) return null
  const faults = (error.details ?? []).map(({ path, message }) => (
    <>
      {labelOf(path) ?? <code>{path}</code>}: {message}
    </>
  ))
  return (
    <div class="notice bad" role="alert">
      {faults.length > 1 ? (
        <ul>
          {faults.map(each => (
            <li>{each}</li>
          ))}
        </ul>
      ) : (
        <p>{faults[0] ?? error.message}</p>
      )}
    </div>
  )
}

type NoticeProps = { kind?: 'info' | 'good' | 'warn' | 'bad'; text?: ComponentChildren; children?: ComponentChildren }

export const Notice = ({ kind = 'info', text, children }: NoticeProps) => (
  <div class={`notice ${kind}`} role="status">
    {text && <p>{text}</p>}
    {children}
  </div>
)

/** Stands where something will be, as long as it is loaded. */
export const Skeleton = ({ rows = 4 }: { readonly rows?: number }) => (
  <div class="skeleton" role="status">
    <span class="unseen">Loading …</span>
    {Array.from({ length: rows }, (_, n) => (
      <span key={n} class="bone" />
    ))}
  </div>
)

export const Again = ({ onClick }: { readonly onClick: () => void }) => (
  <div class="row">
    <Button label="Try again" onClick={onClick} />
  </div>
)

interface LoadedProps<Data> {
  readonly from: Loading<Data>
  readonly children: (data: Data) => ComponentChildren
}

/** Shows what was loaded, or that it is being loaded, or why it was not. */
export function Loaded<Data>({ from, children }: LoadedProps<Data>) {
  const { data, error, isLoading, reload } = from
  if (!error && data === undefined) return <Skeleton />
  return (
    <>
      {error && (
        <div class="stack">
          <Fault error={error} />
          {Reflect.get(error, 'status') !== 404 && <Again onClick={reload} />}
        </div>
      )}
      {data !== undefined && (
        <div class="stack" aria-busy={isLoading}>
          {children(data)}
        </div>
      )}
    </>
  )
}

interface LoadProps<Data> extends DataOptions {
  readonly path: string | undefined
  readonly query?: Record<string, unknown>
  readonly children: (data: Data) => ComponentChildren
}

/** Loads what is shown, as `useData` does, where nothing else needs it. */
export const Load = <Data,>({ path, query, children, ...options }: LoadProps<Data>) => (
  <Loaded from={useData<Data>(path, query, options)}>{children}</Loaded>
)

type DetailProps<Data> = LoadProps<Data> & { readonly back: readonly [to: string, text: string] }

/** What is loaded of one thing, with the way back to all of them. */
export const Detail = <Data,>({ back: [to, text], ...loaded }: DetailProps<Data>) => (
  <>
    <p>
      <Link to={to} text={text} />
    </p>
    <Load {...loaded} />
  </>
)

/** In place of an empty list: what would be here, and how it comes here. */
export const Empty = ({ title, text }: { readonly title: string; readonly text?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    <p class="quiet">{text}</p>
  </div>
)

type CardProps = { title?: ComponentChildren; isStack?: boolean } & Omit<JSX.HTMLAttributes<HTMLElement>, 'title'>

/** A box with a title, whose parts stand apart with `isStack`. */
export const Card = ({ title, isStack = false, children, ...others }: CardProps) => (
  <section class="card" {...others}>
    {title && <h2>{title}</h2>}
    {isStack ? <div class="stack">{children}</div> : children}
  </section>
)

/** A column of a table: its title, what it shows of a row, and the class of its cells: `number` stands right. */
export type Column<Row> = readonly [title: ComponentChildren, cell: (row: Row) => ComponentChildren, side?: string]

interface TableProps<Row> {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf?: (row: Row) => string
  /** Tells what the rows are to those who cannot see the page. */
  readonly label: string
  /** It is said where there are no rows. */
  readonly none?: string
  readonly class?: string
  /** The key of the row that is open beside the table. */
  readonly open?: string | undefined
}

const idOf = (row: unknown) => String(Reflect.get(Object(row), 'id'))

/** A table whose cells are what `columns` make of each row. */
export function Table<Row>({ columns, rows, keyOf = idOf, label, none, class: kind, open }: TableProps<Row>) {
  if (none && rows.length === 0) return <p class="quiet">{none}</p>
  return (
    <div class="scroll">
      <table class={kind} aria-label={label}>
        <thead>
          <tr>
            {columns.map(([title, , side = title ? undefined : 'acts']) => (
              <th scope="col" class={side}>
                {title || <span class="unseen">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)} class={keyOf(row) === open ? 'open' : undefined}>
              {columns.map(([title, cell, side = title ? undefined : 'acts']) => (
                <td class={side}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A text in a few lines. */
export const Clipped = ({ text }: { readonly text: ComponentChildren }) => <bdi class="clipped">{text}</bdi>

interface TwoProps {
  readonly text: ComponentChildren
  /** It is left out where there is none. */
  readonly below: ComponentChildren
}

/** What a cell is about, and something small below it. */
export const Two = ({ text, below }: TwoProps) => (
  <>
    {text}
    {below && (
      <small class="quiet block" dir="auto">
        {below}
      </small>
    )}
  </>
)

/** Names with what they are; those without a value are left out. */
export const Facts = ({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(
      ([name, value]) =>
        value !== false &&
        value != null &&
        value !== '' && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

interface PagerProps {
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
  /** Tells it from another on the same page. */
  readonly label?: string
}

/** Leads through the pages of a list, also to one that is far away. */
export function Pager({ page, pageSize, total, onPage, label = 'Pages' }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  if (pages === 1 && page === 1) return null
  const jump = ({ currentTarget }: JSX.TargetedEvent<HTMLInputElement>) => {
    const wanted = Math.round(Number(currentTarget.value))
    if (wanted >= 1) onPage(Math.min(wanted, pages))
  }
  return (
    <nav class="row pager" aria-label={label}>
      <Button label="Back" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, pages))} />
      <span>
        {page > pages ? 'Beyond the last page' : `Page ${page} of ${pages}`}, {told(total)} in all
      </span>
      <Button label="Next" disabled={page >= pages} onClick={() => onPage(page + 1)} />
      {pages > 3 && (
        <label class="jump">
          Go to page <input type="number" min="1" max={pages} value={page} onChange={jump} />
        </label>
      )}
    </nav>
  )
}

type SlicedProps<Row> = Omit<PagerProps, 'page' | 'total'> & {
  rows: readonly Row[]
  /** As the address has it. */
  page: string | undefined
  children: (rows: readonly Row[]) => ComponentChildren
}

/** A page of rows that are all there. */
export function Sliced<Row>({ rows, page: asked, pageSize, children, ...others }: SlicedProps<Row>) {
  const page = Math.min(Math.max(1, Math.trunc(Number(asked)) || 1), Math.max(1, Math.ceil(rows.length / pageSize)))
  return (
    <>
      {children(rows.slice((page - 1) * pageSize, page * pageSize))}
      <Pager page={page} pageSize={pageSize} total={rows.length} {...others} />
    </>
  )
}

const STATES: Readonly<Record<string, string>> = {
  COMPLETED: 'good',
  SUCCEEDED: 'good',
  HIGH: 'good',
  PROCESSING: 'info',
  MEDIUM: 'info',
  PENDING: 'warn',
  FAILED: 'bad',
}

/** A word for a state, coloured by what it means; `kind` overrides the colour. */
export function Badge({ children, kind }: { children: ComponentChildren; kind?: string | undefined }) {
  const word = String(children)
  return <span class={`badge ${kind ?? STATES[word] ?? 'plain'}`}>{word.toLowerCase().replaceAll('_', ' ')}</span>
}

/** A number as people read it: `1,200`. */
export const told = (number: number) => number.toLocaleString('en')

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** An instant in the reader's own zone; a dash where there is none. */
export function Time({ at }: { readonly at?: string | null | undefined }) {
  if (!at) return <span class="quiet">–</span>
  return (
    <time dateTime={at} title={at}>
      {TIME.format(new Date(at))}
    </time>
  )
}

interface DropDownProps {
  readonly label?: string
  readonly icon: string
  readonly name?: string
  readonly onOpen?: () => void
  readonly class?: string
  readonly children?: ComponentChildren
}

/** A button that opens a box below it, which Escape and a press elsewhere close. */
export function DropDown({ label, icon, name, onOpen, class: inside = 'stack', children }: DropDownProps) {
  const id = useId()
  return (
    <>
      <Button kind={label ? 'plain' : 'icon'} icon={icon} label={label} aria-label={name} popoverTarget={id} />
      <div id={id} popover="auto" class={`drop-down ${inside}`} onToggle={onOpen}>
        {children}
      </div>
    </>
  )
}

interface TabsProps {
  /** Their titles, by what is told of them. */
  readonly options: Readonly<Record<string, string>>
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

/** Buttons that choose one of a few parts. */
export const Tabs = ({ options, chosen, onChoose }: TabsProps) => (
  <nav class="tabs" aria-label="Parts">
    {Object.entries(options).map(([id, title]) => (
      <button type="button" key={id} aria-current={id === chosen ? 'true' : undefined} onClick={() => onChoose(id)}>
        {title}
      </button>
    ))}
  </nav>
)
