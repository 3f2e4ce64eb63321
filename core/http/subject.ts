import type { TSchema } from '@sinclair/typebox'
import type { Caller, Subject, Tenant } from '../auth/caller.ts'
import type { Tx } from '../db/database.ts'
import { type AppError, fail } from '../errors.ts'
import { isUpload, type UploadDefinition } from './upload.ts'

/**
 * Says how a route holds a caller to the user that its key is bound to, before the handler runs. A route that says nothing refuses such
 * callers, and one that says nothing of agents those that are bound to an agent as well.
 */
export interface RouteSubject {
  /** The field of path, query, body or form that names the user: filled in where it is left out, and FORBIDDEN for another. */
  readonly user?: string
  /** The field that names the agent, likewise. */
  readonly agent?: string
  /** The fields above stand in each item of this list of the body. */
  readonly each?: string
  /** Things that the request names by their ids. */
  readonly rows?: readonly NamedRow[]
  /** The handler holds itself to `caller.subject`: to its user, or to its agent, too. */
  readonly handler?: 'user' | 'agent'
}

/** A thing that a field of path, query or body names by its id. For a bound caller there are only those of its user. */
export interface NamedRow {
  /** `<schema>.<table>`: a tenant table with columns `id` and `user_id`, of the plugin or lent by another's contract. */
  readonly table: string
  /** The field with the id; `id` where it is left out. */
  readonly field?: string
  /** The table has a column `agent_id` as well. */
  readonly hasAgent?: boolean
  /** The route's failure for an id that there is nothing of. */
  missing(): AppError
}

/** The part of a route that says how it treats bound callers, and what its input is. */
interface Declared {
  readonly subject?: RouteSubject | 'nobody'
  readonly relays?: boolean
  readonly access: unknown
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema | UploadDefinition
}

/** Tells whether a route serves callers that are bound to a user. */
export function servesSubject(
  { subject, relays }: Pick<Declared, 'subject' | 'relays'>,
  { agentId }: Subject,
): boolean {
  if (subject === undefined) return false
  // A relay only calls routes that hold the caller themselves.
  if (subject === 'nobody' || agentId === undefined || relays) return true
  const { user, agent, rows = [], handler } = subject
  return (user === undefined || agent !== undefined) && rows.every(row => row.hasAgent) && handler !== 'user'
}

/** Finds permissions that a bound key may have: those of a route that serves it. */
export function permissionsOfSubjects(routes: readonly Pick<Declared, 'access' | 'subject'>[]): ReadonlySet<string> {
  return new Set(
    routes.flatMap(({ access, subject }) => (subject ? [fieldIn(access, 'permission')] : [])).filter(isText),
  )
}

type Part = 'params' | 'query' | 'body'

interface HeldField {
  readonly name: string
  readonly part: Part
  readonly of: keyof Subject
}

/** Which fields of a route name its user and agent, and where; undefined for a route without any. */
export interface HeldFields {
  readonly fields: readonly HeldField[]
  readonly each: string | undefined
}

/** Finds the fields that a route declares. Throws where it has none of that name, so that a slip ends the start. */
export function heldFields({ subject, params, query, body }: Declared): HeldFields | undefined {
  if (subject === undefined || subject === 'nobody') return undefined
  const { user, agent, each } = subject
  const json = isUpload(body) ? (body.upload === 'form' ? body.fields : undefined) : body
  const item: TSchema | undefined = each === undefined ? json : json?.properties?.[each]?.items
  const parts: readonly (readonly [Part, TSchema | undefined])[] = [
    ['params', params],
    ['query', query],
    ['body', item],
  ]
  const place = (name: string | undefined, of: keyof Subject): HeldField[] => {
    if (name === undefined) return []
    const part = parts.find(([, schema]) => schema?.properties?.[name] !== undefined)?.[0]
    if (part) return [{ name, part, of }]
    throw new Error(`its \`subject\` names the field ${name}, which its input does not have`)
  }
  return { fields: [...place(user, 'userId'), ...place(agent, 'agentId')], each }
}

/** Fills in whom a bound caller means by leaving it out, before the input is validated. @param value a query, body or form as it was read */
export function fillSubject(held: HeldFields | undefined, part: Part, value: unknown, subject: Subject): void {
  if (!held) return
  for (const item of itemsOf(held, part, value))
    for (const field of held.fields) {
      const meant = subject[field.of]
      const isLeftOut = (fieldIn(item, field.name) ?? undefined) === undefined
      if (isLeftOut && field.part === part && meant !== undefined) Reflect.set(item, field.name, meant)
    }
}

interface Held {
  readonly caller: Caller
  readonly tenant?: Tenant
  readonly mounted: { readonly route: Declared; readonly held: HeldFields | undefined }
  readonly given?: Given | undefined
}

/** The parts of a request are these as they were read. */
interface Given {
  readonly params: unknown
  readonly query: unknown
  readonly body?: unknown
  /** The fields of a form, or the body again. */
  readonly fields?: unknown
}

/** Holds a bound caller to its user: FORBIDDEN for fields that name another, and the route's own failure for things that are another's. */
export function holdToSubject(exchange: Held): Promise<void> | void {
  const { caller, tenant, mounted, given } = exchange
  const { subject } = caller
  // A public route serves everybody alike.
  if (!subject || !tenant || !given) return
  if (mounted.held && namesAnother(mounted.held, given, subject)) throw fail('FORBIDDEN', { message: ANOTHER })
  const declared = mounted.route.subject
  if (typeof declared === 'object' && declared.rows) return requireOwnRows(declared.rows, given, tenant, subject)
}

async function requireOwnRows(rows: readonly NamedRow[], given: Given, tenant: Tenant, subject: Subject) {
  for (const row of rows) {
    const id = [given.params, given.query, given.body].map(part => fieldIn(part, row.field ?? 'id')).find(isText)
    if (id !== undefined && !(await tenant.transaction(tx => isOwn(tx, row, tenant.workspaceId, id, subject))))
      throw row.missing()
  }
}

const ANOTHER = 'This key is bound to one user, and the request names another.'

function namesAnother(held: HeldFields, given: Given, subject: Subject): boolean {
  return held.fields.some(({ name, part, of }) => {
    const meant = subject[of]
    const read = part === 'body' ? (given.fields ?? given.body) : given[part]
    return meant !== undefined && itemsOf(held, part, read).some(item => Reflect.get(item, name) !== meant)
  })
}

/** The objects whose fields are held: the part itself, or items of its list. Whatever else stands there is for validation. */
function itemsOf({ each }: HeldFields, part: Part, value: unknown): object[] {
  const items: unknown = part === 'body' && each !== undefined ? fieldIn(value, each) : [value]
  return Array.isArray(items) ? items.filter(item => typeof item === 'object' && item !== null) : []
}

function fieldIn(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

async function isOwn(tx: Tx, { table, hasAgent = false }: NamedRow, workspaceId: string, id: string, subject: Subject) {
  const rows = await tx`
    select
    from ${tx.unsafe(table)} as item
    where item.workspace_id = ${workspaceId}
      and item.id = ${id}::text::uuid
      and item.user_id = ${subject.userId}
      ${hasAgent && subject.agentId !== undefined ? tx`and item.agent_id = ${subject.agentId}` : tx``}`
  return rows.length > 0
}
