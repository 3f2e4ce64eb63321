import { randomUUID } from 'node:crypto'
import { type Tx, textArray } from 'mneme/plugin'
import type { Client } from '../../test/support/client.ts'
import { idleService, type TestAccount } from '../../test/support/service.ts'
import type { EntityType, RelationType } from './contract.ts'

export interface EntityOptions {
  readonly userId?: string
  readonly isUser?: boolean
  readonly aliases?: readonly string[]
  readonly description?: string
  readonly at?: string
}

export interface EdgeOptions {
  readonly weight?: number
  /** The instants at which it became known and at which its end became known. */
  readonly from?: string
  readonly to?: string
  readonly validFrom?: string
  readonly validTo?: string
  /** The memories that say so, the oldest first; one that nobody has when left out. */
  readonly memories?: readonly string[]
}

/** A graph in a workspace of its own, put together by hand; no job gives its entities vectors, or reads its memories. */
export interface GraphWorld {
  readonly account: TestAccount
  readonly client: Client
  readonly workspaceId: string
  entity(name: string, type?: EntityType, options?: EntityOptions): Promise<string>
  edge(source: string, type: RelationType, target: string, options?: EdgeOptions): Promise<string>
  mention(memoryId: string, entityId: string, name: string): Promise<void>
  /** Makes mentions of a user, by all of these names, in as many memories. */
  mentionsOfUser(count: number, entityId: string, names: readonly string[]): Promise<void>
  /** As a request would see it. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** A memory past its processing: it is there to be read, and nothing draws facts from it. */
  remember(text: string, userId?: string): Promise<string>
}

export async function graphWorld(): Promise<GraphWorld> {
  const { account: makeAccount, database } = await idleService()
  const account = await makeAccount()
  const { workspaceId, client } = account
  const users = new Map<string, string>()
  return {
    account,
    client,
    workspaceId,
    read: work => database.workspace(workspaceId, work),
    async entity(name, type = 'PERSON', options = {}) {
      const { userId = 'ada', isUser = false, aliases = [], description = null, at = '2026-01-01' } = options
      const id = randomUUID()
      users.set(id, userId)
      await database.workspace(workspaceId, async tx => {
        await tx`
          insert into graph.entity
            (workspace_id, id, user_id, type, name, normal_name, is_user, description, known_from, created_at, updated_at)
          values (
            ${workspaceId}, ${id}, ${userId}, ${type}, ${name}, ${name.toLowerCase()}, ${isUser}, ${description},
            ${at}, ${at}, ${at}
          )`
        for (const known of [name, ...aliases]) {
          await tx`
            insert into graph.name (workspace_id, user_id, normal_name, entity_id)
            values (${workspaceId}, ${userId}, ${known.toLowerCase()}, ${id})`
        }
      })
      return id
    },
    async edge(source, type, target, options = {}) {
      const { weight = 0.9, from = '2026-01-01', to = null, validFrom = null, validTo = null } = options
      const id = randomUUID()
      const userId = users.get(source) ?? 'ada'
      await database.workspace(workspaceId, async tx => {
        await tx`
          insert into graph.edge (
            workspace_id, id, user_id, source_id, target_id, type, known_from, known_to, valid_from, valid_to, weight,
            weighed_at, created_at, updated_at
          )
          values (
            ${workspaceId}, ${id}, ${userId}, ${source}, ${target}, ${type}, ${from}, ${to}, ${validFrom}, ${validTo},
            ${weight}, ${from}, ${from}, ${from}
          )`
        for (const [n, memory] of (options.memories ?? [randomUUID()]).entries()) {
          await tx`
            insert into graph.evidence (
              workspace_id, id, memory_id, user_id, source_id, target_id, type, edge_id, confidence, closes,
              span_start, span_end, stated_at, effective_at
            )
            values (
              ${workspaceId}, ${randomUUID()}, ${memory}, ${userId}, ${source}, ${target}, ${type}, ${id}, ${weight},
              false, 0, 1, ${from}::timestamptz + make_interval(hours => ${n}), ${from}
            )`
        }
      })
      return id
    },
    async mention(memoryId, entityId, name) {
      const names = textArray([name])
      await database.workspace(
        workspaceId,
        tx => tx`
          insert into graph.mention (
            workspace_id, memory_id, entity_id, user_id, names, normal_names, type, confidence, span_start, span_end, stated_at
          )
          select
            ${workspaceId}, ${memoryId}, entity.id, ${users.get(entityId) ?? 'ada'}, ${names}::text[],
            ${textArray([name.toLowerCase()])}::text[], entity.type, 0.9, 0, 1, now()
          from graph.entity
          where entity.workspace_id = ${workspaceId}
            and entity.id = ${entityId}`,
      )
    },
    async mentionsOfUser(count, entityId, names) {
      await database.workspace(
        workspaceId,
        tx => tx`
          insert into graph.mention (
            workspace_id, memory_id, entity_id, user_id, names, normal_names, type, is_user, confidence, span_start, span_end,
            stated_at
          )
          select
            ${workspaceId}, gen_random_uuid(), ${entityId}, ${users.get(entityId) ?? 'ada'}, ${textArray(names)}::text[],
            ${textArray(names.map(name => name.toLowerCase()))}::text[], 'PERSON', true, 0.9, 0, 1, now()
          from generate_series(1, ${count}::integer)`,
      )
    },
    async remember(text, userId = 'ada') {
      const id = randomUUID()
      await database.system(
        tx => tx`
          insert into memories.memory (
            workspace_id, id, text, user_id, priority, status, categories, layer, source, content_hash, revision,
            progress_at, created_at, updated_at
          )
          values (
            ${workspaceId}, ${id}, ${text}, ${userId}, 'MEDIUM', 'COMPLETED', '{}', 'RAW', 'API',
            sha256(convert_to(${text}, 'UTF8')), 1, now(), now(), now()
          )`,
      )
      // Else what looks for memories that were never read would read it.
      await database.workspace(
        workspaceId,
        tx => tx`
          insert into graph.reading (
            workspace_id, memory_id, user_id, revision, extracted_by, due_at, read_at, text_hash, categories, stated_at
          )
          values (${workspaceId}, ${id}, ${userId}, 1, 'local', null, now(), '', '{}', now())`,
      )
      return id
    },
  }
}
